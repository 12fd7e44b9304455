import { sql, type SQL } from 'drizzle-orm';
import { spreadStoreChange } from '../accounts/forget-store.ts';
import { isNewOperator, mayBeOnePerson } from '../accounts/users/operators.ts';
import { dayMs, minuteMs } from '../base/durations.ts';
import { conflict, notFound } from '../base/errors.ts';
import { memberRoles } from '../base/roles.ts';
import type { ActionContext } from '../data/audit/action.ts';
import { auditStatement } from '../data/audit/audit-lines.ts';
import { rawDatabaseStatement } from '../data/core/raw.ts';
import { findStoreJob } from '../data/directory/job-queries.ts';
import type { Job, JobKind } from '../data/directory/job.ts';
import { jobStatements } from '../data/directory/request-job.ts';
import { wake } from '../data/queues.ts';
import { stores, users } from '../data/schema/directory/directory-tables.ts';
import { jobs } from '../data/schema/directory/operators-tables.ts';
import {
  insertMailToMembers,
  insertMailToOperators,
  prepareMail,
  wakeMail,
} from '../mail/outbox.ts';
import { closeStatements, closingMs, hasBegun, mayClose } from './close-store.ts';
import { requireStore, storeStatement } from './find-store.ts';
import type { StoreRow } from './insert-store.ts';

/**
 * How long an isolate may still know a store as active: its work must have ended before the data
 * go.
 */
const settleMs = 2 * minuteMs;

/** How long another operator may confirm an immediate erasure. */
const confirmationMs = 7 * dayMs;

/** How long any operator may cancel an immediate erasure once it is confirmed. */
const cancellationMs = dayMs;

const openJob = ({ directory }: ActionContext, storeId: number, kind: JobKind) =>
  directory
    .select()
    .from(jobs)
    .where(
      sql`${jobs.store_id} = ${storeId} and ${jobs.kind} = ${kind} and ${jobs.finished_at} is null`,
    );

/** Whether a condition on the directory holds now. One round trip. */
async function holds({ directory }: ActionContext, condition: SQL): Promise<boolean> {
  const text = sql`select 1 where ${condition}`;
  const [rows] = await directory.batch([rawDatabaseStatement(directory, text)]);
  return rows.length > 0;
}

/** Runs the batch of a request, which ends with the store and its job. */
async function request(
  { directory }: ActionContext,
  statements: readonly ReturnType<typeof rawDatabaseStatement>[],
  ends: readonly [ReturnType<typeof storeStatement>, ReturnType<typeof openJob>],
): Promise<{ store: StoreRow | undefined; job: Job | undefined }> {
  const results: readonly (readonly unknown[])[] = await directory.batch([
    rawDatabaseStatement(directory, sql`select 1`),
    ...statements,
    ...ends,
  ]);
  return {
    store: (results.at(-2) as StoreRow[])[0],
    job: (results.at(-1) as Job[])[0],
  };
}

/**
 * Requests, as an operator, that the data of a store are erased now, and returns the job. The store
 * must have been closed for 30 days, else it is a 409. An erasure that waits for its day begins
 * now; one that begins is returned. One batch.
 */
export async function requestErasure(
  action: ActionContext,
  { storeId, reason }: { storeId: number; reason: string },
): Promise<Job> {
  const { env, directory, now } = action;
  const { shard } = await requireStore(action, storeId);
  const dueAt = now + settleMs;
  const isClosedLong = sql`id = ${storeId} and closed_at <= ${now - closingMs} and erased_at is null`;
  const isSoon = sql`exists (select 1 from ${jobs} where store_id = ${storeId} and kind = 'store_erasure'
    and finished_at is null and by_operator = 1 and due_at <= ${dueAt})`;
  const isReady = sql`exists (select 1 from ${stores} where ${isClosedLong})
    and not ${hasBegun(storeId)} and not ${isSoon}`;
  const { store, job } = await request(
    action,
    [
      rawDatabaseStatement(
        directory,
        sql`update ${stores} set closed_by = 'operator', erase_at = ${dueAt}, updated_at = ${now}
            where ${isClosedLong} and ${isReady}`,
      ),
      rawDatabaseStatement(
        directory,
        sql`update ${jobs} set state = 'cancelled', finished_at = ${now}, leased_until = 0, due_at = null
            where store_id = ${storeId} and kind = 'store_erasure' and finished_at is null and ${isReady}`,
      ),
      ...jobStatements(action, { kind: 'store_erasure', storeId, reason, dueAt }, shard, isReady),
    ],
    [storeStatement(action, storeId), openJob(action, storeId, 'store_erasure')],
  );
  const isLong = store?.closed_at != null && store.closed_at <= now - closingMs;
  if (!job || !isLong) throw conflict('closed_too_recently');
  action.defer(wake(env, 'sweep', { v: 1, shard: job.shard, round: 0 }));
  return job;
}

/**
 * Requests, as an operator, that the data of a store are erased whether it is closed or not, and
 * returns the job. It waits for another operator. All members and operators get a mail at once. A
 * request that waits is not made twice: then its job is returned. Throws a 409 for who has been an
 * operator for less than seven days. One batch.
 */
export async function requestImmediateErasure(
  action: ActionContext,
  { storeId, reason }: { storeId: number; reason: string },
): Promise<Job> {
  const { now, actor } = action;
  const { name, shard } = await requireStore(action, storeId);
  const isNew = isNewOperator(now, actor.userId ?? 0);
  const kind = 'immediate_erasure';
  const isReady = sql`exists (select 1 from ${stores} where id = ${storeId} and erased_at is null)
    and not ${hasBegun(storeId)} and not ${isNew}
    and not exists (select 1 from ${jobs} where store_id = ${storeId} and kind = ${kind} and finished_at is null)`;
  const dueAt = now + confirmationMs;
  const { job } = await request(
    action,
    [
      ...(await mailsAbout(action, { storeId, name, reason, date: null }, isReady)),
      ...jobStatements(action, { kind, storeId, reason, dueAt }, shard, isReady),
    ],
    [storeStatement(action, storeId), openJob(action, storeId, kind)],
  );
  if (!job) {
    throw conflict((await holds(action, isNew)) ? 'second_operator_needed' : 'job_irrevocable');
  }
  action.defer(wakeMail(action.env));
  return job;
}

/**
 * Confirms an immediate erasure, as another operator than the one who requested it, who must still
 * be one. Both have been operators for seven days, and cannot be one person. The store is closed at
 * once if it is not, and its data are erased after 24 hours. All members and operators get a mail.
 * A confirmed one stays as it is. Throws a 404, and a 409 for such operators or a request that no
 * longer waits. One batch.
 */
export async function confirmErasure(
  action: ActionContext,
  { storeId, jobId, reason }: { storeId: number; jobId: number; reason: string },
): Promise<Job> {
  const { directory, env, actor, from, now } = action;
  const { name } = await requireStore(action, storeId);
  const wanted = { id: jobId, kind: 'immediate_erasure', storeId } as const;
  const before = await findStoreJob(directory, wanted);
  if (!before) throw notFound();
  const userId = actor.userId ?? 0;
  const asker = before.requested_by;
  const areOne = sql`(${isNewOperator(now, asker, userId)} or ${mayBeOnePerson(asker, userId)})`;
  if (await holds(action, areOne)) throw conflict('second_operator_needed');
  const date = now + cancellationMs;
  const isWaiting = sql`id = ${jobId} and kind = 'immediate_erasure' and finished_at is null
    and confirmed_at is null and due_at > ${now} and not ${areOne}
    and exists (select 1 from ${users} where users.id = requested_by and users.super_user = 1 and users.active = 1)`;
  const isReady = sql`exists (select 1 from ${jobs} where ${isWaiting}) and not ${hasBegun(storeId)}`;
  const line = {
    at: now,
    actor,
    from,
    action: 'store.erasure_confirmed',
    target: { kind: 'store' as const, id: storeId },
    storeId,
    reason,
  };
  const mailed = { storeId, name, reason: before.reason ?? '', date };
  // The day on which the closing of the store erases its data comes back if this is cancelled.
  const eraseAt = sql`(select erase_at from ${stores} where stores.id = ${storeId})`;
  await request(
    action,
    [
      ...(await mailsAbout(action, mailed, isReady)),
      auditStatement(directory, line, isReady),
      rawDatabaseStatement(
        directory,
        sql`update ${jobs} set confirmed_by = ${userId}, confirmed_at = ${now}, due_at = ${date},
              progress = json_object('eraseAt', ${eraseAt})
            where ${isWaiting} and not ${hasBegun(storeId)}`,
      ),
      rawDatabaseStatement(
        directory,
        sql`update ${stores} set active = 0, closed_at = coalesce(closed_at, ${now}), closed_by = 'operator',
              close_reason = ${before.reason}, erase_at = min(coalesce(erase_at, ${date}), ${date}), updated_at = ${now}
            where id = ${storeId} and erased_at is null and exists (select 1 from ${jobs} where jobs.id = ${jobId}
              and jobs.finished_at is null and jobs.confirmed_at = ${now} and jobs.confirmed_by = ${userId})`,
      ),
    ],
    [storeStatement(action, storeId), openJob(action, storeId, 'immediate_erasure')],
  );
  const job = await findStoreJob(directory, wanted);
  if (!job || job.confirmed_at === null || job.state === 'cancelled') {
    throw conflict('nothing_to_confirm');
  }
  spreadStoreChange(action, storeId);
  action.defer(wakeMail(env));
  return job;
}

/**
 * Closes a test store of its owner and erases its data as soon as no isolate works with it any
 * more. Throws a 404 for a store that is closed or locked. One batch.
 */
export async function eraseTestStore(
  action: ActionContext,
  { storeId, reason }: { storeId: number; reason: string },
): Promise<void> {
  const { env, now } = action;
  const store = await requireStore(action, storeId);
  const isUnlocked = sql`exists (select 1 from ${stores} where id = ${storeId} and test = 1 and locked_at is null)`;
  const { job } = await request(
    action,
    closeStatements(
      action,
      store,
      { storeId, reason, dueAt: now + settleMs },
      sql`${mayClose(action, storeId)} and ${isUnlocked}`,
    ),
    [storeStatement(action, storeId), openJob(action, storeId, 'store_erasure')],
  );
  if (!job) throw notFound();
  spreadStoreChange(action, storeId);
  action.defer(wake(env, 'sweep', { v: 1, shard: job.shard, round: 0 }));
}

interface OrderedErasure {
  storeId: number;
  name: string;
  reason: string;
  /** When the data are erased; null until that is confirmed. */
  date: number | null;
}

/** The statements that tell all operators, and all members with whom they tell if it is wrong. */
async function mailsAbout(
  { directory, settings, now, actor }: ActionContext,
  { storeId, name, reason, date }: OrderedErasure,
  where: SQL,
) {
  const mail = await prepareMail(settings, {
    kind: 'store_erasure_ordered',
    data: { store: name, reason, date },
  });
  const news = await prepareMail(settings, {
    kind: 'store_erasure_told',
    data: { by: actor.name, store: name, storeId, reason, date },
  });
  return [
    insertMailToMembers(directory, mail, { storeId, roles: memberRoles }, now, where),
    insertMailToOperators(directory, news, now, where),
  ];
}
