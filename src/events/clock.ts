import type { SendError } from './outcome.ts';

/** What delivery needs from outside, so that a test can put a receiver, a clock or a die in its place. */
export interface Ports {
  /** Epoch milliseconds. */
  now: () => number;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** At least 0, less than 1. */
  random: () => number;
  /** What speaks against sending there now; without it the text of a URL alone decides. */
  judge?: (shard: number, url: string) => Promise<SendError | undefined>;
}

export const realPorts: Ports = {
  now: () => Date.now(),
  // Called through the global: workerd refuses a `fetch` that is detached from it.
  fetch: (url, init) => fetch(url, init),
  random: () => Math.random(),
};
