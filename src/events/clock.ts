/** What delivery needs from outside, so that a test can put a receiver, a clock or a die in its place. */
export interface Ports {
  /** Epoch milliseconds. */
  now: () => number;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** At least 0, less than 1. */
  random: () => number;
}

export const realPorts: Ports = {
  now: () => Date.now(),
  // Called through the global: workerd refuses a `fetch` that is detached from it.
  fetch: (url, init) => fetch(url, init),
  random: () => Math.random(),
};
