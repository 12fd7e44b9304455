import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Contender } from './contenders.ts';
import { ProcessGroup } from './process-group.ts';
import { forget } from './seen.ts';
import { events, type Setup } from './setup.ts';

/** What all runs share. */
export interface Ground {
  /** Address of the receivers. */
  receivers: string;
  /** Where state is kept. */
  scratch: string;
}

/** One contender over a state of its own, which it keeps when it is killed. */
export class RunOf {
  readonly #script: string;
  readonly #setup: Setup;
  #group: ProcessGroup | undefined;

  constructor(
    { process: script, variant }: Contender,
    wanted: Omit<Setup, 'state' | 'isFirst' | 'receivers' | 'variant'>,
    { receivers, scratch }: Ground,
  ) {
    this.#script = script;
    const state = mkdtempSync(join(scratch, 'state-'));
    this.#setup = { ...wanted, receivers, state, isFirst: true, variant };
  }

  /** Starts it, or starts it again. */
  async start(): Promise<void> {
    if (this.#setup.isFirst) await forget(this.#setup.receivers);
    this.#group = await ProcessGroup.start(this.#script, JSON.stringify(this.#setup));
    this.#setup.isFirst = false;
  }

  kill = async () => this.#group?.kill();

  async end(): Promise<void> {
    await this.kill();
    // Its last processes may be going still.
    rmSync(this.#setup.state, { recursive: true, maxRetries: 5 });
  }

  /** Publishes an event and says whether that was acknowledged. Rejects while nobody is there. */
  async publish(n: number, event: string = events.measured): Promise<boolean> {
    const body = JSON.stringify({ n, name: 'Camiseta Listrada', price: 59.9 });
    const { ok } = await fetch(`${this.#group?.url}/${event}`, { method: 'POST', body });
    return ok;
  }

  /** Rows that it has read and written so far; nothing for one that does not count them. */
  async cost(): Promise<{ rowsRead?: number; rowsWritten?: number }> {
    return (await fetch(`${this.#group?.url}/`)).json<{ rowsRead?: number }>();
  }
}
