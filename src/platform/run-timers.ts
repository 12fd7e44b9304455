import type { SweepContext } from '../data/sweep-task.ts';
import { ShardTimers } from './shard-timers.ts';

/** A run starts no new work later; the rest waits for the next minute. */
const timeBudgetMs = 20_000;

/** Records of one run. Each needs some three calls of the database, and an invocation may make 1,000 in all. */
export const maxTimedRecords = 200;

/**
 * Money first: captures of cards and cancellations of unpaid orders, then reminders and expiries of carts. `share` is the
 * part of the run after which a kind yields to the next, so that many payments never stop the carts.
 */
const phases = [
  { kind: 'transaction', share: 0.75 },
  { kind: 'cart', share: 1 },
  { kind: 'transaction', share: 1 },
] as const;

/**
 * Processes due records of a shard until none remains or the time is over: captures cards, cancels unpaid orders,
 * sends cart reminders and expires carts. Each record is one conditional batch, so concurrent or interrupted runs do
 * nothing twice and nothing by half. Returns the number of records that it tried. Never rejects: failures are logged
 * and retried after five minutes.
 */
export async function runTimers({ env, shard, db, now }: SweepContext): Promise<number> {
  const startedAt = now();
  const timers = new ShardTimers(env, shard, db, now);
  for (const { kind, share } of phases) {
    const limits = { stopAt: startedAt + share * timeBudgetMs, records: share * maxTimedRecords };
    await timers.process(kind, limits);
  }
  timers.logResult();
  return timers.tried;
}
