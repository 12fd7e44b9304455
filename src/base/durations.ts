/** Durations in milliseconds. */
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** Whether this is the given minute of an hour. A task of cron that runs once an hour has a minute of its own. */
export const isMinuteOfHour = (now: number, minute: number): boolean =>
  Math.floor(now / minuteMs) % 60 === minute;
