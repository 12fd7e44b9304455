import { shardBindings } from '../db/core/shards.ts';
import { ShardTimers } from './shard-timers.ts';

/** A run starts no new work later; the rest waits for the next minute. */
const timeBudgetMs = 20_000;

/** Records of one run in all shards. Each needs some three calls, and a Worker may make 10,000. */
const maxRecords = 2_500;

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
 * Processes due records in every shard until none is left or the time is over: captures cards, cancels unpaid orders,
 * sends cart reminders and expires carts. Each record is one conditional batch, so concurrent or interrupted runs do
 * nothing twice and leave nothing half done. Never rejects: failures are logged and retried after five minutes.
 */
export async function runTimers(env: Env, now: () => number = Date.now): Promise<void> {
  const startedAt = now();
  const shards = shardBindings(env);
  const recordLimit = Math.floor(maxRecords / Math.max(1, shards.size));
  await Promise.all(
    [...shards].map(async ([shard, binding]) => {
      const timers = new ShardTimers(env, shard, binding, now);
      for (const { kind, share } of phases) {
        const limits = { stopAt: startedAt + share * timeBudgetMs, records: share * recordLimit };
        await timers.process(kind, limits);
      }
      timers.logResult();
    }),
  );
}
