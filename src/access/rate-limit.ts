import { tooManyRequests } from '../errors.ts';

/** The window of every rate limit of the deployment (`[[ratelimits]]` in wrangler.toml), in seconds. */
const windowSeconds = 60;

/** The share of a limit that an isolate allows on its own count, without asking the limiter. */
const localShare = 0.1;

/** An isolate that counts more keys than this in one window resets its counts. */
const maxCountedKeys = 50_000;

let windowStart = 0;
const counts = new Map<string, number>();

/**
 * Counts a request against a limit per minute; throws a 429 beyond it. Only keys that are busy in this isolate ask
 * the limiter of the location, so other requests do not wait for it. Each isolate can therefore allow its local
 * share on top of the limit.
 */
export async function enforceRateLimit(
  limiter: RateLimit,
  perMinute: number,
  key: string,
  now: number,
): Promise<void> {
  if (now - windowStart >= windowSeconds * 1000 || counts.size > maxCountedKeys) {
    windowStart = now;
    counts.clear();
  }
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  if (count <= perMinute * localShare) return;
  const { success } = await limiter.limit({ key });
  if (!success) throw tooManyRequests(windowSeconds);
}
