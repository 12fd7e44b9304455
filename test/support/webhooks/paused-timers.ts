import { vi } from 'vitest';

interface Timer {
  /** Milliseconds since `pauseTimers`. */
  at: number;
  run: () => void;
}

/**
 * Replaces `setTimeout` and `Date.now` until the disposal, so that time passes only on request.
 * Unlike the fake timers of vitest, `jump` fires as an event loop does after a pause: every timer
 * that is due once, and none that these start.
 */
export function pauseTimers() {
  const startedAt = Date.now();
  let now = 0;
  let last = 0;
  const timers = new Map<number, Timer>();
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => startedAt + now);
  vi.stubGlobal('setTimeout', (run: () => void, ms = 0) => {
    last += 1;
    timers.set(last, { at: now + ms, run });
    return last;
  });
  vi.stubGlobal('clearTimeout', (id: number) => timers.delete(id));
  const fire = async () => {
    const due = [...timers].filter(([, { at }]) => at <= now);
    for (const [id, { run }] of due) {
      if (timers.delete(id)) run();
    }
    // Work after the resolved timers continues before the test does.
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  return {
    [Symbol.dispose]() {
      vi.unstubAllGlobals();
      clock.mockRestore();
    },
    async jump(ms: number): Promise<void> {
      now += ms;
      await fire();
    },
    /**
     * Lets milliseconds pass and fires each timer at its time, as an event loop without a pause
     * does.
     */
    async advance(ms: number): Promise<void> {
      const end = now + ms;
      for (;;) {
        const next = Math.min(...[...timers.values()].map(({ at }) => at));
        if (next > end) break;
        now = Math.max(now, next);
        await fire();
      }
      now = Math.max(now, end);
    },
  };
}
