/** Notices when something that should move does not, from its first move to its end. */
export class Stall {
  /** Resolves once nothing has moved for the given time; never, when it ends before. */
  readonly stalled: Promise<void>;
  readonly #ms: number;
  #resolve: () => void = () => undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ms: number) {
    this.#ms = ms;
    this.stalled = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  moved(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#resolve, this.#ms);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
