import { sql } from 'drizzle-orm';
import { conflict } from '../../base/errors.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import type { Job } from '../../data/directory/job.ts';
import { cancelStatements } from '../../data/directory/request-job.ts';
import { stores } from '../../data/schema/directory/directory-tables.ts';
import { jobs } from '../../data/schema/directory/operators-tables.ts';
import { stopMove } from '../../stores/move/run-move.ts';

/** The kinds that no operator asks for: the service or a partner does, and needs them whole. */
const lasting: ReadonlySet<Job['kind']> = new Set([
  'test_store_fill',
  'shard_copy',
  'shard_change',
]);

/**
 * Cancels a job and returns it as it is then. A job that has ended stays as it is. Throws a 409 for
 * an erasure that has begun, a store that is in its new shard, and a job that no operator asks for.
 */
export async function cancelJob(action: ActionContext, job: Job): Promise<Job> {
  const { directory, env, now } = action;
  if (job.finished_at !== null) return job;
  if (job.progress['begunAt'] !== undefined || lasting.has(job.kind)) {
    throw conflict('job_irrevocable');
  }
  if (job.kind === 'store_move' && !(await stopMove(env, job, now)))
    throw conflict('job_irrevocable');
  const results: readonly (readonly unknown[])[] = await directory.batch([
    ...cancelStatements(action, job, sql`id = ${job.id}`),
    dayOfErasure(action, job),
    directory
      .select()
      .from(jobs)
      .where(sql`${jobs.id} = ${job.id}`),
  ]);
  const [cancelled] = results.at(-1) as Job[];
  if (!cancelled || cancelled.finished_at === null) throw conflict('job_irrevocable');
  return cancelled;
}

/**
 * The statement that keeps the day of a store's erasure right when one is cancelled: the store
 * stays closed. The day is that of its closing where an immediate erasure had come before it, else
 * there is none.
 */
function dayOfErasure({ directory, now }: ActionContext, { id, store_id: storeId }: Job) {
  const isOf = (kind: string) => sql`jobs.store_id = ${storeId ?? 0} and jobs.kind = ${kind}`;
  const isOpen = (kind: string) =>
    sql`exists (select 1 from ${jobs} where ${isOf(kind)} and jobs.finished_at is null
      and (jobs.kind = 'store_erasure' or jobs.confirmed_at is not null))`;
  const wasFirst = sql`(select jobs.progress ->> '$.eraseAt' from ${jobs} where jobs.id = ${id})`;
  return rawDatabaseStatement(
    directory,
    sql`update ${stores} set updated_at = ${now},
          erase_at = case when ${isOpen('store_erasure')} then ${wasFirst} end
        where id = ${storeId ?? 0} and erase_at is not null and not ${isOpen('immediate_erasure')}
          and exists (select 1 from ${jobs} where jobs.id = ${id} and jobs.state = 'cancelled' and jobs.finished_at = ${now}
            and (jobs.kind = 'store_erasure' or jobs.kind = 'immediate_erasure' and jobs.confirmed_at is not null))`,
  );
}
