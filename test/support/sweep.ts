import { shardBinding, shardBindings } from '../../src/data/core/open-database.ts';
import { maxRounds } from '../../src/data/queues.ts';
import type { SweepContext, SweepTask } from '../../src/data/sweep-task.ts';
import { maintainGrants } from '../../src/oauth/grant-maintenance.ts';
import { followDirectory } from '../../src/ops/follow-directory.ts';
import { sweepShard } from '../../src/ops/run-sweep.ts';
import { maxTimedRecords, runTimers } from '../../src/ops/shard-timers.ts';
import { webhookTasks } from '../../src/webhooks/sweep/webhook-tasks.ts';

/** Runs `work` for every shard at once, with the input of a task of the sweep. */
const forEachShard = (
  env: Env,
  now: () => number,
  work: (context: SweepContext) => Promise<unknown>,
) =>
  Promise.all(
    [...shardBindings(env)].map(([shard, db]) =>
      work({ env, shard, db, now, hasTime: () => true }),
    ),
  );

/**
 * Sweeps every shard as cron and the queue do, but without the queue; with the tasks of webhooks
 * unless given others.
 */
export const sweepAll = (
  env: Env,
  now: () => number = Date.now,
  lists: readonly (readonly SweepTask[])[] = [webhookTasks],
) =>
  forEachShard(env, now, ({ env, shard, db, now }) => sweepShard({ env, shard, db, now }, lists));

/**
 * Runs the timers of every shard, with further rounds as long as a run reaches its limit, and at
 * most `rounds` of them.
 */
export const runAllTimers = (env: Env, now: () => number, rounds = maxRounds + 1) =>
  forEachShard(env, now, async (context) => {
    for (let round = 0; round < rounds; round += 1) {
      if ((await runTimers(context)) < maxTimedRecords) break;
    }
  });

/** Maintains the grants of every shard at a time. */
export const maintainAllGrants = (env: Env, now: number) =>
  forEachShard(env, () => now, maintainGrants);

/** Runs the task of the sweep that copies changes of the directory to the shard of a store. */
export const followChanges = (env: Env, { shard }: { shard: number }) =>
  followDirectory({
    env,
    shard,
    db: shardBinding(env, shard),
    now: Date.now,
    hasTime: () => true,
  });
