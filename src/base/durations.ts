/** Durations in milliseconds. */
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** A day in seconds, as HTTP, cookies and KV count. */
export const daySeconds = dayMs / 1000;

/** Whether this is the given minute of an hour. A task of cron that runs once an hour has a minute of its own. */
export const isMinuteOfHour = (now: number, minute: number): boolean =>
  Math.floor(now / minuteMs) % 60 === minute;

/** The day of UTC of a moment (epoch milliseconds), counted from 1970. A budget starts anew with each. */
export const budgetDay = (now: number) => Math.floor(now / dayMs);

/** Seconds from a moment until the next day of UTC, at least one. */
export const secondsLeftToday = (now: number) =>
  Math.max(1, Math.ceil(((budgetDay(now) + 1) * dayMs - now) / 1000));

/** Waits for so many milliseconds. In a long loop of statements, it lets the isolate answer requests in between. */
export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
