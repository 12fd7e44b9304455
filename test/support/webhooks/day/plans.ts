import { hourMs, minuteMs } from '../../../../src/base/durations.ts';
import type { DayPlan } from './run-day.ts';

/** Orders by hour of the day; the twenty-first has a campaign, with a fifth of the day. */
const weights = [2, 1, 1, 1, 1, 1, 2, 3, 4, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 9, 27, 10, 6, 4];
const sum = weights.reduce((total, weight) => total + weight, 0);
const hours = weights.map((weight) => weight / sum);

/** Milliseconds from the start of the day to a time. */
const at = (hour: number, minute = 0) => hour * hourMs + minute * minuteMs;

/**
 * A day of 50,000 stores, with a stall and a release within the campaign, and an outage behind it.
 */
export const dayOf = (shards: number, some: Partial<DayPlan> = {}): DayPlan => ({
  seed: 5,
  shards,
  stores: 50_000,
  // As `deployedQueues` makes them.
  fastQueues: 32,
  queue: 0,
  ordersPerStore: 20,
  hours,
  simulated: { from: at(18), until: at(22) },
  stall: { from: at(20, 10), until: at(20, 20) },
  releaseAt: at(20, 40),
  outage: { from: at(21), until: at(21, 30) },
  ...some,
});
