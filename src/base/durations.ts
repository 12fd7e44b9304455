/** Durations in milliseconds. */
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** A day in seconds, as HTTP, cookies and KV count. */
export const daySeconds = dayMs / 1000;

/**
 * Whether this is the given minute of an hour. A task of cron that runs once an hour has a minute
 * of its own.
 */
export const isMinuteOfHour = (now: number, minute: number): boolean =>
  Math.floor(now / minuteMs) % 60 === minute;

/**
 * The day of UTC of a moment (epoch milliseconds), counted from 1970. A budget starts anew with
 * each.
 */
export const budgetDay = (now: number) => Math.floor(now / dayMs);

/** Beyond its budget of a day, a store records on in turns of this length. */
export const budgetTurnMs = 10_000;

/** The turn of a moment, counted from 1970. */
export const budgetTurn = (now: number) => Math.floor(now / budgetTurnMs);

/** Milliseconds from a moment until the next turn, at least one. */
export const msLeftOfTurn = (now: number) => (budgetTurn(now) + 1) * budgetTurnMs - now;

/**
 * Waits for so many milliseconds. In a long loop of statements, it lets the isolate answer requests
 * in between.
 */
export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
