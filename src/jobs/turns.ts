import { sql } from 'drizzle-orm';
import { withDbErrors } from '../db/core/errors.ts';
import { openDatabase, type Database } from '../db/core/open.ts';
import { rawDatabaseStatement } from '../db/core/raw.ts';
import { jobs } from '../db/schema/operators.ts';
import { log } from '../log.ts';
import { filesGoAt } from './export/kept.ts';
import { JobLost, type Job, type JobOutcome, type Progress } from './job.ts';

/** A worker that died has lost its turn after this time. */
const leaseMs = 90_000;

/** After a failure a job waits for so long, and for twice as long after each further one. */
const retryMs = 60_000;
const maxRetryMs = 60 * 60_000;

/** A job whose turns fail so often in a row is given up. An erasure never is: it must end. */
const maxFailures = 10;

type StoredJob = Omit<Job, 'progress' | 'result'> & { progress: string; result: string | null };

const toJob = (row: StoredJob): Job => ({
  ...row,
  progress: JSON.parse(row.progress) as Job['progress'],
  result: row.result === null ? null : (JSON.parse(row.result) as Job['result']),
});

const claimSql = `
  update jobs set leased_until = ?3, state = iif(finished_at is null, 'running', state) where id = (
    select id from jobs where shard = ?1 and due_at <= ?2 and leased_until <= ?2
    order by due_at limit 1)
  returning *`;

/**
 * Takes the job of a shard that is due for longest, if there is one. The time of the lease is the name of the turn: only who
 * has it may change the job. One round trip.
 */
export async function claimJob(
  directory: D1Database,
  shard: number,
  now: number,
): Promise<Job | undefined> {
  const row = await withDbErrors(
    directory
      .prepare(claimSql)
      .bind(shard, now, now + leaseMs)
      .first<StoredJob>(),
  );
  return row ? toJob(row) : undefined;
}

const isOurs = 'id = ?1 and leased_until = ?2 and finished_at is null';

/** Keeps how far a job is. Throws `JobLost` if the turn is over. One round trip. */
export async function saveProgress(
  directory: D1Database,
  job: Job,
  { done = job.done, total = job.total, progress = job.progress }: Progress,
): Promise<void> {
  const { meta } = await withDbErrors(
    directory
      .prepare(`update jobs set done = ?3, total = ?4, progress = ?5 where ${isOurs}`)
      .bind(job.id, job.leased_until, done, total, JSON.stringify(progress))
      .run(),
  );
  if (meta.changes === 0) throw new JobLost();
  Object.assign(job, { done, total, progress });
}

/** Ends a turn: the job waits for the next one, or has ended. Does nothing if another run was first. */
export async function endTurn(
  { DIRECTORY: directory }: Pick<Env, 'DIRECTORY'>,
  job: Job,
  outcome: JobOutcome,
  now: number,
): Promise<void> {
  const { id, kind, store_id: store, shard, leased_until: lease } = job;
  if (outcome.state === 'waits') {
    const { failures: _none, ...progress } = job.progress;
    await withDbErrors(
      directory
        .prepare(
          `update jobs set leased_until = 0, due_at = ?3, progress = ?4, error = null, state = ?5
            where ${isOurs}`,
        )
        .bind(
          id,
          lease,
          outcome.dueAt,
          JSON.stringify(progress),
          outcome.isIdle ? 'waiting' : 'running',
        )
        .run(),
    );
    return;
  }
  const [result, error] =
    outcome.state === 'done' ? [JSON.stringify(outcome.result), null] : [null, outcome.error];
  const database = openDatabase(directory);
  const isOurTurn = sql`id = ${id} and leased_until = ${lease} and finished_at is null`;
  const tell = outcome.state === 'done' ? outcome.tell : undefined;
  const end = rawDatabaseStatement<{ id: number }>(
    database,
    sql`update ${jobs} set leased_until = 0, state = ${outcome.state}, result = ${result}, error = ${error},
        finished_at = ${now}, due_at = ${filesGoAt(kind, outcome.state, now)} where ${isOurTurn} returning id`,
  );
  const told = tell?.(sql`exists (select 1 from ${jobs} where ${isOurTurn})`) ?? [];
  // The statement that ends it goes last, since the others are for whoever ends it.
  const ended = await withDbErrors(database.batch([selectNothing(database), ...told, end]));
  if ((ended.at(-1) as readonly unknown[]).length > 0) {
    log('info', 'job_ended', { job: id, kind, store, shard, state: outcome.state, error });
    if (outcome.state === 'done') await outcome.afterwards?.();
  }
}

/** Ends the last turn of a job whose files are deleted. One round trip. */
export async function forgetFiles(directory: D1Database, { id }: Job): Promise<void> {
  await withDbErrors(
    directory
      .prepare(
        'update jobs set due_at = null, leased_until = 0 where id = ? and finished_at is not null',
      )
      .bind(id)
      .run(),
  );
}

/** A batch has a first statement. */
const selectNothing = (database: Database) => rawDatabaseStatement(database, sql`select 1`);

/** Lets a job whose turn failed wait, or gives it up. */
export async function failTurn(directory: D1Database, job: Job, now: number): Promise<void> {
  const failures = Number(job.progress['failures'] ?? 0) + 1;
  const isOver = failures >= maxFailures && job.kind !== 'store_erasure';
  const dueAt = now + Math.min(retryMs * 2 ** (failures - 1), maxRetryMs);
  await withDbErrors(
    directory
      .prepare(
        `update jobs set leased_until = 0, progress = json_set(progress, '$.failures', ?4),
          state = iif(?5, 'failed', state), error = iif(?5, 'too_many_failures', 'will_be_tried_again'),
          finished_at = iif(?5, ?6, null), due_at = iif(?5, ?7, ?3) where ${isOurs}`,
      )
      .bind(
        job.id,
        job.leased_until,
        dueAt,
        failures,
        isOver ? 1 : 0,
        now,
        filesGoAt(job.kind, 'failed', now),
      )
      .run(),
  );
}
