import { and, eq, isNull, sql, type SQL } from 'drizzle-orm';
import { dayMs } from '../../base/durations.ts';
import { conflict, notFound } from '../../base/errors.ts';
import type { ActionContext } from '../audit/action.ts';
import { auditStatement, type AuditLine } from '../audit/audit-lines.ts';
import { rawDatabaseStatement } from '../core/raw.ts';
import { wake } from '../queues.ts';
import { shards, ShardState, stores } from '../schema/directory/directory-tables.ts';
import { jobs } from '../schema/directory/operators-tables.ts';
import type { Job, JobRequest } from './job.ts';

/** The members of a store are notified this long before its data are erased. */
export const erasureNoticeMs = 7 * dayMs;

/** The name of each kind in the audit. */
const actions = {
  store_export: 'store.export_requested',
  store_erasure: 'store.erasure_requested',
  immediate_erasure: 'store.immediate_erasure_requested',
  store_move: 'store.move_requested',
  store_restore: 'store.restore_requested',
  shard_drain: 'shard.drain_requested',
  test_store_fill: 'store.fill_requested',
  second_factor_removal: 'user.second_factor_removal_requested',
} as const;

/**
 * Requests long work on a store or a shard, and returns its job. Work that is already under way is
 * not begun twice: then its job is returned. Throws a 404 for an unknown store or shard, a 409 for
 * an erased store, and the error of `check`. That is called for a known one.
 */
export async function requestJob(
  action: ActionContext,
  request: Exclude<JobRequest, { dueAt: number }>,
  check?: () => Promise<void>,
): Promise<Job> {
  const { directory, env } = action;
  const shard = await shardOf(action, request);
  await check?.();
  const [first, ...rest] = jobStatements(action, request, shard);
  if (!first) throw new Error('a job without statements');
  await directory.batch([first, ...rest]);
  const [job] = await directory
    .select()
    .from(jobs)
    .where(sql`${sameWork(request)} and ${isNull(jobs.finished_at)}`);
  if (!job) throw conflict('job_under_way');
  if ('toShard' in request && job.progress['toShard'] !== request.toShard) {
    throw conflict('job_under_way');
  }
  action.defer(wake(env, 'sweep', { v: 1, shard: job.shard, round: 0 }));
  return job;
}

/**
 * The statements of {@link requestJob}, for an action that has a batch of its own, such as closing
 * a store. They do nothing if the same work is under way. `shard` is that of the store, or SQL for
 * one where any will do.
 */
export function jobStatements(
  action: ActionContext,
  request: JobRequest,
  shard: number | SQL,
  where: SQL = sql`1`,
) {
  const { directory, actor, from, now } = action;
  const isNew = sql`${where} and not exists (
    select 1 from ${jobs} where ${sameWork(request)} and ${isNull(jobs.finished_at)})`;
  const storeId = 'storeId' in request ? request.storeId : undefined;
  const userId = 'userId' in request ? request.userId : undefined;
  const reason = request.reason ?? null;
  const { toShard, copyId } = { toShard: undefined, copyId: undefined, ...request };
  const worker = request.kind === 'store_restore' ? request.toShard : shard;
  return [
    auditStatement(
      directory,
      {
        at: now,
        actor,
        from,
        action: actions[request.kind],
        target: targetOf(request, shard),
        ...(storeId !== undefined && { storeId }),
        ...(reason !== null && { reason }),
        ...(toShard !== undefined && { changes: { shard: [Number(shard), toShard] } }),
      },
      isNew,
    ),
    ...(request.kind === 'shard_drain'
      ? [
          rawDatabaseStatement(
            directory,
            sql`update ${shards} set state = ${ShardState.closed} where number = ${shard}`,
          ),
        ]
      : []),
    rawDatabaseStatement(
      directory,
      sql`insert into ${jobs} (kind, shard, store_id, user_id, progress, reason, requested_by, by_operator, created_at, due_at)
        select ${request.kind}, ${worker}, ${storeId ?? null}, ${userId ?? null}, ${JSON.stringify({ toShard, copyId })},
          ${reason}, ${actor.userId ?? 0}, ${Number(actor.kind === 'operator')}, ${now}, ${firstStepAt(request, now)} where ${isNew}`,
    ),
  ];
}

/** The target of a job, as the audit names it. */
function targetOf(request: JobRequest, shard: number | SQL): AuditLine['target'] {
  if ('storeId' in request) return { kind: 'store', id: request.storeId };
  return 'userId' in request ? { kind: 'user', id: request.userId } : { kind: 'shard', id: shard };
}

/** The time of the first step of a job: an erasure is announced before its day. */
const firstStepAt = (request: JobRequest, now: number) => {
  const dueAt = 'dueAt' in request ? request.dueAt : now;
  if (request.kind !== 'store_erasure') return dueAt;
  return dueAt - erasureNoticeMs > now ? dueAt - erasureNoticeMs : dueAt;
};

/** Selects the job that already does the requested work: a store has one of each kind at a time. */
function sameWork(request: JobRequest): SQL {
  const isSameKind = eq(jobs.kind, request.kind);
  if ('storeId' in request) return sql`${and(eq(jobs.store_id, request.storeId), isSameKind)}`;
  if ('userId' in request) return sql`${and(eq(jobs.user_id, request.userId), isSameKind)}`;
  return sql`${and(eq(jobs.shard, request.shard), isSameKind)}`;
}

async function shardOf(
  { directory }: ActionContext,
  request: Exclude<JobRequest, { dueAt: number }>,
): Promise<number> {
  const [found] =
    'storeId' in request
      ? await directory
          .select({ shard: stores.shard, erasedAt: stores.erased_at })
          .from(stores)
          .where(eq(stores.id, request.storeId))
      : await directory
          .select({ shard: shards.number, erasedAt: sql<null>`null` })
          .from(shards)
          .where(eq(shards.number, request.shard));
  if (!found) throw notFound();
  if (found.erasedAt !== null) throw conflict('store_erased');
  return found.shard;
}

/**
 * Cancels the erasure of a store that waits for its day, in the batch of an action that opens the
 * store again. Only an operator cancels the request of an operator.
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

/**
 * The statements that cancel open jobs. An erasure that has begun goes on: part of the data may be
 * gone.
 */
export function cancelStatements(
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
