import { tooManyRequests } from '../problem.ts';

/** The window of every rate limit of the deployment (`[[ratelimits]]` in wrangler.toml), in seconds. */
const windowSeconds = 60;

/** How many requests of a window an isolate lets through on its own count: a tenth of the limit. */
const ownShare = 0.1;

/** Beyond this many callers in one window the counts start anew. */
const capacity = 50_000;

let windowStart = 0;
const counts = new Map<string, number>();

/**
 * Counts a request against a limit per minute and throws a 429 beyond it. The limiter of the location is
 * asked only by callers who are busy in this isolate already, so that a quiet one does not wait for it; each
 * isolate may let that share through on top.
 */
export async function limited(
  limiter: RateLimit,
  perMinute: number,
  key: string,
  now: number,
): Promise<void> {
  if (now - windowStart >= windowSeconds * 1000 || counts.size > capacity) {
    windowStart = now;
    counts.clear();
  }
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  if (count <= perMinute * ownShare) return;
  const { success } = await limiter.limit({ key });
  if (!success) throw tooManyRequests(windowSeconds);
}
