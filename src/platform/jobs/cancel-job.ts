import { sql, type SQL } from 'drizzle-orm';
import { conflict } from '../../base/errors.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { auditStatement } from '../../data/audit/audit-lines.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import type { Job } from '../../data/directory/job.ts';
import { stores } from '../../data/schema/directory/directory-tables.ts';
import { jobs } from '../../data/schema/directory/operators-tables.ts';
import { stopMove } from '../move/run-move.ts';

/**
 * Cancels a job and returns it as it is then. A job that has ended stays as it is. Throws a 409 for one that can no
 * longer be cancelled: an erasure that has begun, or a store that is in its new shard.
 */
export async function cancelJob(action: ActionContext, job: Job): Promise<Job> {
  const { directory, env, now } = action;
  if (job.finished_at !== null) return job;
  if (job.progress['begunAt'] !== undefined) {
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
 * The statement that keeps the day of a store's erasure right when one is cancelled: the store stays closed. The day is
 * that of its closing where an immediate erasure had come before it, else there is none.
 */
function dayOfErasure({ directory, now }: ActionContext, { id, store_id: storeId }: Job) {
  const isOf = (kind: string) => sql`j.store_id = ${storeId ?? 0} and j.kind = ${kind}`;
  const isOpen = (kind: string) =>
    sql`exists (select 1 from ${jobs} j where ${isOf(kind)} and j.finished_at is null
      and (j.kind = 'store_erasure' or j.confirmed_at is not null))`;
  const wasFirst = sql`(select j.progress ->> '$.eraseAt' from ${jobs} j where j.id = ${id})`;
  return rawDatabaseStatement(
    directory,
    sql`update ${stores} set updated_at = ${now},
          erase_at = case when ${isOpen('store_erasure')} then ${wasFirst} end
        where id = ${storeId ?? 0} and erase_at is not null and not ${isOpen('immediate_erasure')}
          and exists (select 1 from ${jobs} j where j.id = ${id} and j.state = 'cancelled' and j.finished_at = ${now}
            and (j.kind = 'store_erasure' or j.kind = 'immediate_erasure' and j.confirmed_at is not null))`,
  );
}

/** Cancels the erasure of a store that waits for its day, in the batch of an action that opens the store again. Only an
 * operator cancels what an operator asked for.
 */
export const cancelErasureStatements = (action: ActionContext, storeId: number, where: SQL) =>
  cancelStatements(
    action,
    { kind: 'store_erasure', store_id: storeId, user_id: null, shard: 0 },
    sql`store_id = ${storeId} and kind in ('store_erasure', 'immediate_erasure') and ${where}
      and by_operator <= ${Number(action.actor.kind === 'operator')}`,
  );

/** Cancels the removal of a user's second factor, in the batch of an objection. */
export const cancelRemovalStatements = (action: ActionContext, userId: number, where: SQL) =>
  cancelStatements(
    action,
    { kind: 'second_factor_removal', store_id: null, user_id: userId, shard: 0 },
    sql`user_id = ${userId} and kind = 'second_factor_removal' and ${where}`,
  );

/** An erasure that has begun goes on: part of the data may be gone. */
function cancelStatements(
  { directory, actor, from, now }: ActionContext,
  {
    kind,
    store_id: storeId,
    user_id: userId,
    shard,
  }: Pick<Job, 'kind' | 'store_id' | 'user_id' | 'shard'>,
  which: SQL,
) {
  const isOpen = sql`${which} and finished_at is null and progress ->> '$.begunAt' is null`;
  const ofShard =
    userId === null ? { kind: 'shard' as const, id: shard } : { kind: 'user' as const, id: userId };
  const target = storeId === null ? ofShard : { kind: 'store' as const, id: storeId };
  const line = {
    at: now,
    actor,
    from,
    action: `job.cancelled`,
    target,
    ...(storeId !== null && { storeId }),
    changes: { job: [kind, null] },
  } as const;
  return [
    auditStatement(directory, line, sql`exists (select 1 from ${jobs} where ${isOpen})`),
    rawDatabaseStatement(
      directory,
      sql`update ${jobs} set state = 'cancelled', finished_at = ${now}, leased_until = 0,
          due_at = iif(kind = 'store_export', ${now}, null) where ${isOpen}`,
    ),
  ] as const;
}
