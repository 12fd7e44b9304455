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

interface SweepTask {
  name: string;
  /** Returns how much it did. */
  run: (context: SweepContext) => Promise<number>;
  /** When the time of the task ends, in milliseconds since the start of the sweep. */
  untilMs: number;
}

/**
 * The tasks of the cron job, most urgent first. A task with much to do leaves time for those behind it, so that a store
 * with many replays or deleted webhooks never keeps the webhooks of another from being woken.
 */
const tasks: readonly SweepTask[] = [
  // Before the wake-ups, which then include the endpoints that these make due.
  { name: 'replayed', run: continueReplays, untilMs: 5_000 },
  { name: 'released', run: continueReleases, untilMs: 8_000 },
  { name: 'woken', run: enqueueDue, untilMs: 13_000 },
  { name: 'closed', run: closeInactiveDeliveries, untilMs: 15_000 },
  { name: 'secrets', run: expireSecrets, untilMs: 20_000 },
  { name: 'failing', run: disableFailing, untilMs: 20_000 },
  { name: 'throttled', run: notifyThrottled, untilMs: 20_000 },
  { name: 'repaired', run: repairOrphaned, untilMs: 18_000 },
  { name: 'purged', run: purgeExpired, untilMs: 20_000 },
];

/**
 * Runs the tasks for every shard, for 20 s at most; the rest waits for the next minute. Never rejects: a failed task is
 * logged and does not stop other tasks or shards.
 */
export async function sweep(env: Env, now: () => number = Date.now): Promise<void> {
  const startedAt = now();
  await Promise.all(
    [...shardBindings(env)].map(async ([shard, db]) => {
      const done: Record<string, number> = {};
      for (const { name, run, untilMs } of tasks) {
        const hasTime = () => now() < startedAt + untilMs;
        if (!hasTime()) continue;
        try {
          const count = await run({ env, shard, db, now, hasTime });
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
