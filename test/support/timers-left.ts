import { vi } from 'vitest';

/**
 * Returns how many fake timers stay open. Other work of the isolate, such as a call of a database, sets one for a moment, so this
 * waits for its end. A timer that was left behind stays, since the clock stands.
 */
export async function timersLeft(): Promise<number> {
  for (let turn = 0; vi.getTimerCount() > 0 && turn < 5_000; turn += 1) await scheduler.wait(1);
  return vi.getTimerCount();
}
