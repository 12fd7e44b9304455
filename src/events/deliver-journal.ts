import { log } from '../log.ts';
import type { Wake } from './hints.ts';
import type { Finished } from './deliver-settle.ts';
import { flush } from './lane-flush.ts';
import type { Lane } from './lane.ts';

/** Waits between the tries of one flush, in milliseconds. */
const flushWaits = [100, 400];

/** What one drain of one shard still has to write. A result leaves it only once it is in the database. */
export class Journal {
  readonly #db: D1Database;
  readonly #lanes: readonly Lane[];
  readonly #now: () => number;
  readonly #wake: (wakes: Wake[]) => Promise<void>;
  readonly #finished: Finished[] = [];
  #unasked = 0;
  #writing: Promise<void> = Promise.resolve();

  /** `wake` is told when lanes that were given back want to be woken, and never rejects. */
  constructor(
    db: D1Database,
    lanes: readonly Lane[],
    { now, wake }: { now: () => number; wake: (wakes: Wake[]) => Promise<void> },
  ) {
    this.#db = db;
    this.#lanes = lanes;
    this.#now = now;
    this.#wake = wake;
  }

  /** Results that have come since the last call to write: what is being written already counts no more. */
  get unasked(): number {
    return this.#unasked;
  }

  add(finished: Finished): void {
    this.#finished.push(finished);
    this.#unasked += 1;
  }

  /**
   * Writes what there is, one flush after the other, and gives back the lanes that `isDone` names. Rejects when
   * the database does not answer after three tries; the next call then writes the same results again.
   */
  write(isDone: (lane: Lane) => boolean): Promise<void> {
    this.#unasked = 0;
    const turn = this.#writing.then(() => this.#write(isDone));
    this.#writing = turn.catch(() => undefined);
    return turn;
  }

  async #write(isDone: (lane: Lane) => boolean): Promise<void> {
    const batch = [...this.#finished];
    const released = this.#lanes.filter((lane) => !lane.isReleased && isDone(lane));
    if (batch.length === 0 && released.length === 0) return;
    const wakes = await this.#insist(batch, released);
    this.#finished.splice(0, batch.length);
    for (const lane of released) lane.isReleased = true;
    if (wakes.length > 0) await this.#wake(wakes);
  }

  async #insist(batch: Finished[], released: Lane[]): Promise<Wake[]> {
    for (const wait of flushWaits) {
      try {
        return await flush(this.#db, batch, released, this.#now());
      } catch (error) {
        const message = error instanceof Error ? error.message : '';
        log('warn', 'webhook_flush_repeated', { results: batch.length, message });
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    }
    return flush(this.#db, batch, released, this.#now());
  }
}
