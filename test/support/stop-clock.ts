import { afterEach, beforeEach, vi } from 'vitest';

/**
 * Stops the clock during each test of a file or a group. So no window of a limit begins between two
 * requests.
 */
export function stopClock() {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());
}
