/** A receiver may ask for no longer pause than this, in milliseconds. */
export const longestPauseMs = 12 * 3_600_000;

const date =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT$/;

/**
 * The pause that a `Retry-After` asks for (RFC 9110 10.2.3: seconds or a date), in milliseconds, 12 hours at most;
 * `null` for anything else. `now` is epoch milliseconds.
 */
export function retryAfterMs(value: string | null | undefined, now: number): number | null {
  const text = value?.trim() ?? '';
  const asked = /^\d+$/.test(text)
    ? Number(text) * 1000
    : date.test(text)
      ? Date.parse(text) - now
      : Number.NaN;
  return Number.isNaN(asked) ? null : Math.min(Math.max(asked, 0), longestPauseMs);
}
