import { sql } from 'drizzle-orm';
import { minuteMs } from '../../base/durations.ts';
import { conflict } from '../../base/errors.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import type { Job } from '../../data/directory/job.ts';
import { wake } from '../../data/queues/wake.ts';
import { jobs } from '../../data/schema/directory/operators-tables.ts';
import { copyStoreFacts } from '../../data/shards/copy-facts.ts';
import { closeStatements, mayErase } from './close-store.ts';
import { requireStore } from './find-store.ts';

/** How long an isolate may still know a store as active: its work must have ended before the data go. */
const settleMs = 2 * minuteMs;

/**
 * Closes a store and erases its data as soon as no isolate works with it any more, and returns the job. An erasure that
 * waits for its day begins now. Throws a 404, and a 409 for a store that is erased. One batch.
 */
export async function eraseStore(
  action: ActionContext,
  { storeId, reason }: { storeId: number; reason: string },
): Promise<Job> {
  const { directory, env, now } = action;
  const store = await requireStore(action, storeId);
  const closing = { storeId, reason, dueAt: now + settleMs };
  const results: readonly (readonly unknown[])[] = await directory.batch([
    directory
      .select()
      .from(jobs)
      .where(sql`0`),
    ...closeStatements(action, store, closing, mayErase(action, storeId)),
    directory
      .select()
      .from(jobs)
      .where(
        sql`${jobs.store_id} = ${storeId} and ${jobs.kind} = 'store_erasure' and ${jobs.finished_at} is null`,
      ),
  ]);
  const [job] = results.at(-1) as Job[];
  if (!job) throw conflict('store_erased');
  action.defer(copyStoreFacts(env, storeId));
  action.defer(wake(env, 'sweep', { v: 1, shard: job.shard, round: 0 }));
  return job;
}
