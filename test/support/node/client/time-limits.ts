interface HeldTimer {
  ms: number;
  run: () => void;
}

/**
 * Time limits that a test ends itself. From the call on, `setTimeout` only keeps timers of a length
 * that `hold` returned, and `expire` runs those. So an attempt without an answer ends when the test
 * says so, and no other attempt ends because the machine is busy.
 */
export function holdTimeLimits() {
  const [start, clear] = [globalThis.setTimeout, globalThis.clearTimeout];
  const lengths = new Set<number>();
  const held = new Map<object, HeldTimer>();
  const holding = (run: () => void, ms: number, ...values: []) => {
    if (!lengths.has(ms)) return start(run, ms, ...values);
    const timer = {};
    held.set(timer, { ms, run });
    return timer;
  };
  globalThis.setTimeout = Object.assign(holding, start);
  globalThis.clearTimeout = ((timer: never) => {
    if (!held.delete(timer)) clear(timer);
  }) as typeof clearTimeout;
  return {
    /** Returns a time limit in milliseconds that nothing else has. */
    hold(): number {
      // Days, so that no code of ours uses it by chance.
      const ms = 1_000_000_000 + lengths.size;
      lengths.add(ms);
      return ms;
    },
    expire(ms: number): void {
      for (const [timer, { ms: length, run }] of held) {
        if (length === ms && held.delete(timer)) run();
      }
    },
    [Symbol.dispose]() {
      globalThis.setTimeout = start;
      globalThis.clearTimeout = clear;
    },
  };
}
