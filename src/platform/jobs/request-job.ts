import { and, eq, isNull, sql, type SQL } from 'drizzle-orm';
import { conflict, HttpError, notFound } from '../../base/errors.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { auditStatement, type AuditLine } from '../../data/audit/audit-lines.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import type { Job, JobRequest } from '../../data/directory/job.ts';
import { wake } from '../../data/queues.ts';
import { shards, ShardState, stores } from '../../data/schema/directory/directory-tables.ts';
import { jobs } from '../../data/schema/directory/operators-tables.ts';
import { findMoveObstacle } from '../move/start-move.ts';
import { erasureNoticeMs } from './erasure-notice.ts';

/** The name of each kind in the audit. */
const actions = {
  store_export: 'store.export_requested',
  store_erasure: 'store.erasure_requested',
  immediate_erasure: 'store.immediate_erasure_requested',
  store_move: 'store.move_requested',
  shard_drain: 'shard.drain_requested',
  test_store_fill: 'store.fill_requested',
  second_factor_removal: 'user.second_factor_removal_requested',
} as const;

/**
 * Requests long work on a store or a shard, and returns its job. Work that is already under way is not begun twice:
 * then its job is returned. Throws a 404 for an unknown store or shard, and
 * a 409 for work that is not possible.
 */
export async function requestJob(
  action: ActionContext,
  request: Exclude<JobRequest, { dueAt: number }>,
): Promise<Job> {
  const { directory, env } = action;
  const shard = await shardOf(action, request);
  await refuseImpossible(action, request);
  const [first, ...rest] = jobStatements(action, request, shard);
  if (!first) throw new Error('a job without statements');
  await directory.batch([first, ...rest]);
  const [job] = await directory
    .select()
    .from(jobs)
    .where(sql`${sameWork(request)} and ${isNull(jobs.finished_at)}`);
  if (!job) throw conflict('job_under_way');
  if (request.kind === 'store_move' && job.progress['toShard'] !== request.toShard) {
    throw conflict('job_under_way');
  }
  action.defer(wake(env, 'sweep', { v: 1, shard: job.shard, round: 0 }));
  return job;
}

/**
 * The statements of {@link requestJob}, for an action that has a batch of its own, such as closing a store. They do
 * nothing if the same work is under way. `shard` is that of the store, or SQL for one where any will do.
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
  const toShard = request.kind === 'store_move' ? request.toShard : undefined;
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
        select ${request.kind}, ${shard}, ${storeId ?? null}, ${userId ?? null}, ${JSON.stringify(toShard === undefined ? {} : { toShard })},
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

async function refuseImpossible({ env }: ActionContext, request: JobRequest): Promise<void> {
  if (request.kind !== 'store_move') return;
  const reason = await findMoveObstacle(env, request.storeId, request.toShard);
  if (reason !== undefined) throw new HttpError('invalid_body', { errors: { shard: [reason] } });
}
