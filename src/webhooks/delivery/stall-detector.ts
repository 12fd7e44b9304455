/** A run without progress for this long only waits for receivers. */
const defaultStallMs = 150;

/**
 * Detects that a run only waits for receivers: nothing can start, or no send has started or ended
 * for `stallMs`. The handler then detaches the run from its queue, so that the queue continues,
 * unless the queue must retry the batch.
 */
export class StallDetector {
  /** Resolves with the first reason; never resolves when the run ends before. */
  readonly stalled: Promise<'idle' | 'timeout'>;
  /** Set by the handler: the batch is acknowledged, and no queue waits for this run. */
  isDetached = false;
  /**
   * Set by the run after a failure of a database: the queue must retry the batch, so the run stays
   * attached.
   */
  mustRetry = false;
  /** Bytes of event bodies that the run has loaded. */
  bodyBytes = 0;
  readonly #stallMs: number;
  #resolve: (reason: 'idle' | 'timeout') => void = () => undefined;
  #lastProgressAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(stallMs = defaultStallMs) {
    this.#stallMs = stallMs;
    this.stalled = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** Reports that a send has started or ended. */
  progress(): void {
    this.#lastProgressAt = Date.now();
    this.#timer ??= setTimeout(() => this.#check(), this.#stallMs);
  }

  /** Reports that nothing can start before a send has ended. */
  idle(): void {
    this.#resolve('idle');
  }

  /** Reports that the last send has ended. */
  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #check(): void {
    const remainingMs = this.#stallMs - (Date.now() - this.#lastProgressAt);
    if (remainingMs <= 0) this.#resolve('timeout');
    else this.#timer = setTimeout(() => this.#check(), remainingMs);
  }
}
