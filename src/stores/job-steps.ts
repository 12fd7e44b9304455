import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { hourMs, minuteMs } from '../base/durations.ts';
import { log } from '../base/log.ts';
import type { Database } from '../data/core/open-database.ts';
import { rawDatabaseStatement } from '../data/core/raw.ts';
import { JobLost, type Job, type JobOutcome, type JobProgress } from '../data/directory/job.ts';
import { isLeasable, isLeased, leases } from '../data/queues.ts';
import { jobs } from '../data/schema/directory/operators-tables.ts';
import { filesGoAt } from './export/kept-exports.ts';

/** A worker that died has lost its step after this time. */
const leaseMs = 90_000;

/**
 * After a failure a job waits for so long, and for twice as long after each further one; a move
 * never waits longer.
 */
const retryMs = minuteMs;
const maxRetryMs = hourMs;

/** A job whose steps fail so often in a row is given up, unless it must end. */
const maxFailures = 10;

/**
 * An erasure that has begun must end, and so must a move and a restore: a store may refuse changes
 * until then. The copies of a shard go on the next night, and a long change is tried until the
 * shard has it.
 */
const mustEnd: ReadonlySet<Job['kind']> = new Set([
  'store_erasure',
  'immediate_erasure',
  'store_move',
  'shard_copy',
  'store_restore',
  'shard_change',
]);

/** The condition that the step of a job is not over. */
const isOurs = ({ id, leased_until: lease }: Job) =>
  sql`${isLeased(leases.jobs, id, lease)} and finished_at is null`;

/**
 * Claims the job of a shard that has been due for longest, if there is one. The time of the lease
 * names the step: only its holder may change the job. One round trip.
 */
export async function claimJob(
  directory: Database,
  shard: number,
  now: number,
): Promise<Job | undefined> {
  const [job] = await directory
    .update(jobs)
    .set({
      leased_until: now + leaseMs,
      state: sql`iif(finished_at is null, 'running', state)`,
    })
    .where(
      sql`${jobs.id} = (select id from ${jobs} where shard = ${shard}
        and ${isLeasable(leases.jobs, now)} order by due_at limit 1)`,
    )
    .returning();
  return job;
}

/** Saves the progress of a job. Throws `JobLost` if the step is over. One round trip. */
export async function saveProgress(
  directory: Database,
  job: Job,
  { done = job.done, total = job.total, progress = job.progress }: JobProgress,
): Promise<void> {
  const { meta } = await directory.update(jobs).set({ done, total, progress }).where(isOurs(job));
  if (meta.changes === 0) throw new JobLost();
  Object.assign(job, { done, total, progress });
}

/**
 * Ends a step: the job waits for the next one, or has ended. Does nothing if another run was first.
 */
export async function endStep(
  directory: Database,
  job: Job,
  outcome: JobOutcome,
  now: number,
): Promise<void> {
  const { id, kind, store_id: store, shard } = job;
  if (outcome.state === 'waits') {
    const { failures: _none, ...progress } = job.progress;
    const state = outcome.isIdle ? 'waiting' : 'running';
    await directory
      .update(jobs)
      .set({ leased_until: 0, due_at: outcome.dueAt, progress, error: null, state })
      .where(isOurs(job));
    return;
  }
  const { state } = outcome;
  const [result, error] = outcome.state === 'done' ? [outcome.result, null] : [null, outcome.error];
  const end = directory
    .update(jobs)
    .set({
      leased_until: 0,
      state,
      result: result && { ...result },
      error,
      finished_at: now,
      due_at: filesGoAt(kind, state, now),
    })
    .where(isOurs(job))
    .returning({ id: jobs.id });
  const notify = outcome.state === 'done' ? outcome.notify : undefined;
  const notified = notify?.(sql`exists (select 1 from ${jobs} where ${isOurs(job)})`) ?? [];
  // The statement that ends the job goes last: the others require that this run still holds it.
  const ended = await directory.batch([selectNothing(directory), ...notified, end]);
  if ((ended.at(-1) as readonly unknown[]).length > 0) {
    log('info', 'job_ended', { job: id, kind, store, shard, state, error });
    if (outcome.state === 'done') await outcome.afterwards?.();
  }
}

/** Ends the last step of a job whose files are deleted. One round trip. */
export async function forgetFiles(directory: Database, { id }: Job): Promise<void> {
  await directory
    .update(jobs)
    .set({ due_at: null, leased_until: 0 })
    .where(and(eq(jobs.id, id), isNotNull(jobs.finished_at)));
}

/** Reads nothing: a batch needs a first statement. */
const selectNothing = (directory: Database) => rawDatabaseStatement(directory, sql`select 1`);

/** Postpones a job whose step failed, or gives it up. */
export async function failStep(directory: Database, job: Job, now: number): Promise<void> {
  const failures = Number(job.progress['failures'] ?? 0) + 1;
  const isOver = failures >= maxFailures && !mustEnd.has(job.kind);
  const isUrgent = job.kind === 'store_move' || job.kind === 'store_restore';
  const longest = isUrgent ? retryMs : maxRetryMs;
  await directory
    .update(jobs)
    .set({
      leased_until: 0,
      progress: sql`json_set(progress, '$.failures', ${failures})`,
      ...(isOver
        ? {
            state: 'failed',
            error: 'too_many_failures',
            finished_at: now,
            due_at: filesGoAt(job.kind, 'failed', now),
          }
        : {
            error: 'will_be_tried_again',
            due_at: now + Math.min(retryMs * 2 ** (failures - 1), longest),
          }),
    })
    .where(isOurs(job));
}
