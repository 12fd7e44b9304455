const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/**
 * How long to wait after the first, second, ... failure in a row, in milliseconds; about 75.7 hours in all.
 * Every gap is within what a queue message could be delayed by.
 */
export const retrySteps: readonly number[] = [
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  8 * hour,
  12 * hour,
  12 * hour,
  12 * hour,
  12 * hour,
  12 * hour,
];

/** Failures of its own after which a delivery is given up: the first one, and one after each step. */
export const maxRefusals = retrySteps.length + 1;

const jitter = 0.2;

/**
 * Milliseconds to wait after that many failures in a row (from 1; beyond the last step the last one holds).
 * The jitter of 0 to 20 % is only ever added, so nothing is sent earlier than promised.
 */
export function waitAfter(failures: number, random: () => number): number {
  const index = Math.min(Math.max(failures, 1), retrySteps.length) - 1;
  const step = retrySteps[index] ?? hour;
  return Math.round(step * (1 + jitter * random()));
}
