/**
 * How long a test waits for what must happen: the only time limit of `npm test`, for `expect.poll`
 * and `vi.waitUntil`. It ends a test that is red; no test asserts that something takes less.
 */
export const patience = { timeout: 100_000, interval: 50 } as const;
