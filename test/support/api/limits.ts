/**
 * A limiter of the location that admits every request or none, and records the keys that it was
 * asked for.
 */
interface FakeLimiter extends RateLimit {
  keys: string[];
}

export function fakeLimiter(success: boolean): FakeLimiter {
  const keys: string[] = [];
  return {
    keys,
    limit: ({ key }) => {
      keys.push(key);
      return Promise.resolve({ success });
    },
  };
}

/**
 * Replaces limiters and limits per minute. Types of `Env` are literal values of the local
 * configuration.
 */
export const limitBindings = (changed: Record<string, unknown>) =>
  changed as unknown as Partial<Env>;

let sites = 0;

/** Returns the first three groups of a /48 of IPv6 that no other test uses. */
export const createSite = () => `2001:db8:${(sites += 1).toString(16)}`;

/**
 * Returns an address for `CF-Connecting-IP` in a /48 of its own. Files share a database, where
 * limits of a network would count the attempts of them all.
 */
export const newAddress = () => `${createSite()}::1`;

/** Sends some requests, one after another, and returns their statuses. */
export async function statusesOf(count: number, send: (n: number) => Promise<number>) {
  const statuses: number[] = [];
  for (let n = 0; n < count; n += 1) statuses.push(await send(n));
  return statuses;
}
