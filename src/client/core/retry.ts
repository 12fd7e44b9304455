import { ApiError } from './api-error.ts';

/** The longest `Retry-After` that the client waits for; a longer one is left to the caller. */
const maxWaitMs = 60_000;

const firstWaitMs = 250;

/** Whether the same request may succeed soon. A change has an idempotency key, so it is applied once. */
function isTransient({ code, status }: ApiError): boolean {
  if (status === 0) return code === 'network' || code === 'timeout';
  return status === 429 || (status >= 502 && status < 600) || code === 'request_under_way';
}

/**
 * Returns how long to wait before the next attempt, in milliseconds; `undefined` if there should be none. Waits double, and
 * vary at random so that clients that failed together do not return together.
 */
export function waitBefore(failure: unknown, attempt: number, retries: number): number | undefined {
  if (!(failure instanceof ApiError) || attempt > retries || !isTransient(failure))
    return undefined;
  const asked = retryAfterMs(failure.headers?.get('Retry-After'));
  if (asked > maxWaitMs) return undefined;
  const backoff = Math.min(firstWaitMs * 2 ** (attempt - 1), 8_000);
  return Math.max(asked, backoff / 2) + (Math.random() * backoff) / 2;
}

/** Parses `Retry-After`: seconds, or a date (RFC 9110). */
function retryAfterMs(value: string | null | undefined): number {
  if (!value) return 0;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? 0 : ms;
}
