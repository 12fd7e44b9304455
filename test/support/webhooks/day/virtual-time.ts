interface Entry {
  at: number;
  order: number;
  run: (() => void) | undefined;
}

const isBefore = (one: Entry, other: Entry) =>
  one.at < other.at || (one.at === other.at && one.order < other.order);

/** Lets all promises settle that need no time. */
const { setImmediate } = globalThis;
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * A clock that jumps from one event to the next. While it is installed, the timers and `Date.now`
 * of this process follow it, so that a day takes as long as its events need to be computed.
 */
export class VirtualTime {
  #now: number;
  #order = 0;
  /** A binary heap, the next event first. */
  readonly #heap: Entry[] = [];

  constructor(startsAt: number) {
    this.#now = startsAt;
  }

  /** Epoch milliseconds, with a fraction. */
  get exact(): number {
    return this.#now;
  }

  readonly now = (): number => Math.floor(this.#now);

  /** Runs `run` in so many milliseconds. */
  after(ms: number, run: () => void): Entry {
    const entry = { at: this.#now + Math.max(0, ms), order: (this.#order += 1), run };
    this.#push(entry);
    return entry;
  }

  readonly pause = (ms: number) => new Promise<void>((resolve) => this.after(ms, resolve));

  /** Runs all events until a moment. */
  async runUntil(end: number): Promise<void> {
    await settle();
    for (let next = this.#heap[0]; next && next.at <= end; next = this.#heap[0]) {
      this.#now = next.at;
      let hasRun = false;
      for (let due: Entry | undefined = next; due?.at === this.#now; due = this.#heap[0]) {
        this.#pop();
        hasRun ||= due.run !== undefined;
        due.run?.();
      }
      if (hasRun) await settle();
    }
    this.#now = end;
  }

  /** Replaces the timers and the clock of this process until the disposal. */
  install(): Disposable {
    const { setTimeout, clearTimeout, setInterval, clearInterval } = globalThis;
    const clock = Date.now;
    const stop = (entry?: Entry) => {
      if (entry) entry.run = undefined;
    };
    const repeat = (run: () => void, ms: number): Entry => {
      const entry: Entry = this.after(ms, () => {
        run();
        if (!entry.run) return;
        Object.assign(entry, { at: this.#now + ms, order: (this.#order += 1) });
        this.#push(entry);
      });
      return entry;
    };
    Object.assign(globalThis, {
      setTimeout: (run: () => void, ms = 0) => this.after(ms, run),
      clearTimeout: stop,
      setInterval: repeat,
      clearInterval: stop,
    });
    Date.now = this.now;
    return {
      [Symbol.dispose]: () => {
        Object.assign(globalThis, { setTimeout, clearTimeout, setInterval, clearInterval });
        Date.now = clock;
      },
    };
  }

  #push(entry: Entry): void {
    const heap = this.#heap;
    let index = heap.push(entry) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = heap[parent];
      if (!above || !isBefore(entry, above)) break;
      heap[index] = above;
      index = parent;
    }
    heap[index] = entry;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    let index = 0;
    for (;;) {
      const [left, right] = [heap[2 * index + 1], heap[2 * index + 2]];
      const child = right && left && isBefore(right, left) ? 2 * index + 2 : 2 * index + 1;
      const below = heap[child];
      if (!below || !isBefore(below, last)) break;
      heap[index] = below;
      index = child;
    }
    heap[index] = last;
  }
}
