import { boundParameters } from './sqlite-d1.ts';

/** The fate of a process at a failpoint, before or after the effect of its call. */
export const faults = [
  'fails before',
  'fails after',
  'dies before',
  'dies after',
  'freezes before',
  'freezes after',
] as const;

export type FailpointOutcome = 'goes on' | (typeof faults)[number];

/** Draws the outcome of a failpoint: a fault at the given rate. */
export const drawOutcome = (random: () => number, faultRate: number): FailpointOutcome =>
  random() < faultRate ? (faults[Math.floor(random() * faults.length)] ?? 'goes on') : 'goes on';

/**
 * One invocation of the Worker. At every failpoint it may fail, die, or freeze and continue much
 * later.
 */
export class SimulatedProcess {
  state: 'running' | 'frozen' | 'dead' | 'done' = 'running';
  /** Sends (`endpoint-seq`) whose results are not in the database. */
  readonly unrecorded = new Set<string>();
  /** A fault has happened, so another process may repeat its sends. */
  isFaulty = false;
  readonly #chooseOutcome: (failpoint: string) => FailpointOutcome;
  readonly #mayRepeat: Set<string>;
  #hasEnded = false;
  #resolveFreeze: (() => void) | undefined;
  #unfrozen: Promise<void> = Promise.resolve();

  constructor(chooseOutcome: (failpoint: string) => FailpointOutcome, mayRepeat: Set<string>) {
    this.#chooseOutcome = chooseOutcome;
    this.#mayRepeat = mayRepeat;
  }

  /** Runs `action` with the chosen outcome. `message` is the message of a failure. */
  async reachFailpoint<T>(
    failpoint: string,
    message: string,
    action: () => T | Promise<T>,
  ): Promise<T> {
    await this.#waitUntilAlive();
    const outcome = this.#chooseOutcome(failpoint);
    if (outcome !== 'goes on') this.markFaulty();
    if (outcome === 'fails before') throw new Error(message);
    await this.#apply(outcome, 'before');
    const result = await action();
    if (outcome === 'fails after') throw new Error(message);
    await this.#apply(outcome, 'after');
    return result;
  }

  /** Records a send that reached the receiver. */
  onSent(key: string): void {
    this.unrecorded.add(key);
    if (this.isFaulty) this.#mayRepeat.add(key);
  }

  /** Records a committed batch: the sends whose results it contains are not repeated. */
  onCommitted(statements: readonly D1PreparedStatement[]): void {
    for (const [first] of statements.map((one) => boundParameters.get(one) ?? [])) {
      if (typeof first !== 'string' || !first.startsWith('[{')) continue;
      for (const { endpoint, seq } of JSON.parse(first) as { endpoint?: number; seq?: number }[]) {
        this.unrecorded.delete(`${endpoint}-${seq}`);
      }
    }
  }

  markFaulty(): void {
    this.isFaulty = true;
    for (const key of this.unrecorded) this.#mayRepeat.add(key);
  }

  /** The work has ended; a call that it did not await may still be frozen. */
  end(): void {
    this.#hasEnded = true;
    if (this.state === 'running') this.state = 'done';
  }

  unfreeze(): void {
    this.state = this.#hasEnded ? 'done' : 'running';
    this.#resolveFreeze?.();
  }

  async #apply(outcome: FailpointOutcome, side: 'before' | 'after'): Promise<void> {
    if (outcome === `dies ${side}`) this.state = 'dead';
    if (outcome === `freezes ${side}` && this.state === 'running') {
      this.state = 'frozen';
      this.#unfrozen = new Promise((resolve) => {
        this.#resolveFreeze = resolve;
      });
    }
    await this.#waitUntilAlive();
  }

  /** Waits while the process is frozen, forever if it is dead. */
  async #waitUntilAlive(): Promise<void> {
    if (this.state === 'frozen') await this.#unfrozen;
    if (this.state === 'dead') await new Promise(() => undefined);
  }
}
