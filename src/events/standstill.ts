/**
 * Notices when a run only waits for receivers: there is nothing it could begin, or nothing has begun or ended for a while.
 * `isLeft` says that its queue waits for it no longer.
 */
export class Standstill {
  /** Resolves with what was noticed first; never, when the run ends before. */
  readonly reached: Promise<'idle' | 'stalled'>;
  isLeft = false;
  /** Bytes of bodies that the run has in memory. */
  bytes = 0;
  readonly #ms: number;
  #resolve: (why: 'idle' | 'stalled') => void = () => undefined;
  #movedAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ms: number) {
    this.#ms = ms;
    this.reached = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** A send has begun or ended. */
  moved(): void {
    this.#movedAt = Date.now();
    this.#timer ??= setTimeout(() => this.#look(), this.#ms);
  }

  /** Nothing can begin before something has ended. */
  idle(): void {
    this.#resolve('idle');
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    const rest = this.#ms - (Date.now() - this.#movedAt);
    if (rest <= 0) this.#resolve('stalled');
    else this.#timer = setTimeout(() => this.#look(), rest);
  }
}
