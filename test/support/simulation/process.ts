import { parametersOf } from './sqlite-d1.ts';

/** What may happen where a process touches the world; `before` and `after` say on which side of its effect. */
export type Fate =
  | 'goes on'
  | 'fails before'
  | 'fails after'
  | 'dies before'
  | 'dies after'
  | 'freezes before'
  | 'freezes after';

/** One invocation of the Worker: it may die at every failpoint, or be stopped there and go on much later. */
export class Process {
  state: 'running' | 'frozen' | 'dead' | 'done' = 'running';
  /** Its sends that are not in the database, as `endpoint-seq`. */
  readonly unrecorded = new Set<string>();
  /** Something went wrong for it, so that what it sends may be sent by another too. */
  isTainted = false;
  readonly #fateAt: (failpoint: string) => Fate;
  readonly #mayRepeat: Set<string>;
  #isOver = false;
  #thaw: (() => void) | undefined;
  #thawed: Promise<void> = Promise.resolve();

  constructor(fateAt: (failpoint: string) => Fate, mayRepeat: Set<string>) {
    this.#fateAt = fateAt;
    this.#mayRepeat = mayRepeat;
  }

  /** A failpoint: does `act`, unless fate has it otherwise. `message` is what a failure says. */
  async pass<T>(failpoint: string, message: string, act: () => T | Promise<T>): Promise<T> {
    await this.#alive();
    const fate = this.#fateAt(failpoint);
    if (fate !== 'goes on') this.taint();
    if (fate === 'fails before') throw new Error(message);
    await this.#meet(fate, 'before');
    const result = await act();
    if (fate === 'fails after') throw new Error(message);
    await this.#meet(fate, 'after');
    return result;
  }

  /** A send that reached the receiver. */
  sent(key: string): void {
    this.unrecorded.add(key);
    if (this.isTainted) this.#mayRepeat.add(key);
  }

  /** A batch that was committed: the sends whose results are in it will not come again. */
  recorded(statements: readonly D1PreparedStatement[]): void {
    for (const [first] of statements.map((one) => parametersOf.get(one) ?? [])) {
      if (typeof first !== 'string' || !first.startsWith('[{')) continue;
      for (const { endpoint, seq } of JSON.parse(first) as { endpoint?: number; seq?: number }[]) {
        this.unrecorded.delete(`${endpoint}-${seq}`);
      }
    }
  }

  taint(): void {
    this.isTainted = true;
    for (const key of this.unrecorded) this.#mayRepeat.add(key);
  }

  /** Its work has ended; something that it did not wait for may still be stopped. */
  end(): void {
    this.#isOver = true;
    if (this.state === 'running') this.state = 'done';
  }

  thaw(): void {
    this.state = this.#isOver ? 'done' : 'running';
    this.#thaw?.();
  }

  async #meet(fate: Fate, side: 'before' | 'after'): Promise<void> {
    if (fate === `dies ${side}`) this.state = 'dead';
    if (fate === `freezes ${side}` && this.state === 'running') {
      this.state = 'frozen';
      this.#thawed = new Promise((resolve) => {
        this.#thaw = resolve;
      });
    }
    await this.#alive();
  }

  /** What is dead does not come back, and neither does a promise that it waits for. */
  async #alive(): Promise<void> {
    if (this.state === 'frozen') await this.#thawed;
    if (this.state === 'dead') await new Promise(() => undefined);
  }
}
