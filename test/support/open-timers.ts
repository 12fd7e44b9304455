/**
 * Returns the fake timers of some durations (milliseconds) that are open from now on. Other work of
 * the isolate, such as a delivery run that a test let die, sets timers of its own, which would be
 * counted by `vi.getTimerCount()`.
 */
export function openTimers(...durations: number[]): Set<unknown> {
  const open = new Set<unknown>();
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  globalThis.setTimeout = ((run: () => void, ms = 0) => {
    const timer = set(() => {
      open.delete(timer);
      run();
    }, ms);
    if (durations.includes(ms)) open.add(timer);
    return timer;
  }) as typeof setTimeout;
  globalThis.clearTimeout = (timer) => {
    open.delete(timer);
    clear(timer as number);
  };
  return open;
}
