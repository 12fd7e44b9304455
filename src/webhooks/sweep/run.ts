import { shardBindings } from '../../db/core/shards.ts';
import { log } from '../../log.ts';
import { continueReleases } from '../endpoints/release.ts';
import { continueReplays } from '../replay/run.ts';
import type { SweepContext } from '../sweep-context.ts';
import { disableFailing } from './failing.ts';
import { closeInactiveDeliveries } from './inactive.ts';
import { enqueueDue } from './overdue.ts';
import { purgeExpired } from './purge.ts';
import { repairOrphaned } from './repair.ts';
import { expireSecrets } from './secrets.ts';
import { notifyThrottled } from './throttled.ts';

const budgetMs = 20_000;

/** The tasks of the cron job, most urgent first. Each returns how much it did. */
const tasks: readonly [name: string, task: (context: SweepContext) => Promise<number>][] = [
  // Before the wake-ups, which then include the endpoints that these make due.
  ['replayed', continueReplays],
  ['released', continueReleases],
  ['woken', enqueueDue],
  ['closed', closeInactiveDeliveries],
  ['secrets', expireSecrets],
  ['failing', disableFailing],
  ['throttled', notifyThrottled],
  ['repaired', repairOrphaned],
  ['purged', purgeExpired],
];

/**
 * Runs the tasks for every shard, for 20 s at most; the rest waits for the next minute. Never rejects: a failed task is
 * logged and does not stop other tasks or shards.
 */
export async function sweep(env: Env, now: () => number = Date.now): Promise<void> {
  const stopAt = now() + budgetMs;
  const hasTime = () => now() < stopAt;
  await Promise.all(
    [...shardBindings(env)].map(async ([shard, db]) => {
      const done: Record<string, number> = {};
      for (const [name, task] of tasks) {
        if (!hasTime()) break;
        try {
          const count = await task({ env, shard, db, now, hasTime });
          if (count > 0) done[name] = count;
        } catch (error) {
          const message = error instanceof Error ? error.message : '';
          log('error', 'webhook_sweep_failed', { alert: true, shard, task: name, message });
        }
      }
      if (Object.keys(done).length > 0) log('info', 'webhook_swept', { shard, ...done });
    }),
  );
}
