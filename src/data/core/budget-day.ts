import { dayMs } from '../../base/durations.ts';

/** The day of UTC of a moment (epoch milliseconds), counted from 1970. A budget starts anew with each. */
export const budgetDay = (now: number) => Math.floor(now / dayMs);

/** Seconds from a moment until the next day of UTC, at least one. */
export const secondsLeftToday = (now: number) =>
  Math.max(1, Math.ceil(((budgetDay(now) + 1) * dayMs - now) / 1000));
