import { and, count, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import { openDatabase, type Database } from '../../data/core/open-database.ts';
import { chooseShard } from '../../data/directory/choose-shard.ts';
import type { Job, JobOutcome, JobRun } from '../../data/directory/job.ts';
import { stores } from '../../data/schema/directory/directory-tables.ts';
import { jobs } from '../../data/schema/directory/operators-tables.ts';

/**
 * Stores that move out of a shard at the same time: each refuses changes for a while, and all share
 * its database.
 */
const movesAtOnce = 2;

/** After so many aborted moves, a store stays where it is. */
const attemptsPerStore = 3;

const lookAgainMs = 5_000;

const isMove = eq(jobs.kind, 'store_move');

/**
 * Moves all stores of a shard to others, by a job for each store, a few at a time. The shard is
 * closed, so no store comes. A store whose moves are aborted repeatedly stays, and is named at the
 * end. Erased stores have nothing to move.
 */
export async function runDrain({ env, job, now, save }: JobRun): Promise<JobOutcome> {
  const { shard } = job;
  const directory = openDatabase(env.DIRECTORY);
  const [[remaining], [moving], next] = await directory.batch([
    directory.select({ count: count() }).from(stores).where(isOfShard(shard)),
    directory
      .select({ count: count() })
      .from(jobs)
      .where(and(isMove, eq(jobs.shard, shard), isNull(jobs.finished_at), isNotNull(jobs.due_at))),
    selectMovable(directory, job).limit(movesAtOnce),
  ]);
  const left = remaining?.count ?? 0;
  const underWay = moving?.count ?? 0;
  const total = Math.max(job.total, left);
  await save({ done: total - left, total });
  if (left === 0 && underWay === 0) {
    // The shard may be removed now, so its other jobs go to the shards of their stores.
    await directory
      .update(jobs)
      .set({ shard: sql`(select shard from ${stores} where ${stores.id} = ${jobs.store_id})` })
      .where(and(eq(jobs.shard, shard), isNotNull(jobs.store_id), isNotNull(jobs.due_at)));
    return { state: 'done', result: { counts: { stores: total } } };
  }
  if (next.length === 0 && underWay === 0) {
    const given = await directory
      .select({ id: stores.id })
      .from(stores)
      .where(isOfShard(shard))
      .orderBy(stores.id)
      .limit(20);
    const ids = given.map(({ id }) => id).join(', ');
    return { state: 'failed', error: `Stores that could not be moved: ${ids}.` };
  }
  const begun = next.slice(0, Math.max(0, movesAtOnce - underWay));
  for (const { id } of begun) {
    const toShard = await chooseShard(directory);
    if (toShard === undefined) {
      return { state: 'failed', error: 'No other shard is open and has room.' };
    }
    await directory.run(sql`insert into ${jobs}
        (kind, shard, store_id, progress, reason, requested_by, created_at, due_at)
      select 'store_move', ${shard}, ${id}, ${JSON.stringify({ toShard, drain: job.id })},
        ${job.reason}, ${job.requested_by}, ${now()}, ${now()}
      where not exists (select 1 from ${jobs}
        where store_id = ${id} and kind = 'store_move' and finished_at is null)`);
  }
  // The moves come first: they are due earlier. Then this job goes on at once.
  return { state: 'waits', dueAt: now() + (begun.length > 0 ? 1 : lookAgainMs) };
}

const isOfShard = (shard: number) => and(eq(stores.shard, shard), isNull(stores.erased_at));

/** Selects the next stores to move: without a move under way, and without too many aborted ones. */
const selectMovable = (directory: Database, { id, shard }: Job) =>
  directory
    .select({ id: stores.id })
    .from(stores)
    .where(
      and(
        isOfShard(shard),
        sql`not exists (select 1 from ${jobs} where ${jobs.store_id} = ${stores.id} and ${isMove}
          and ${jobs.finished_at} is null)`,
        sql`(select count(*) from ${jobs} where ${jobs.store_id} = ${stores.id} and ${isMove}
          and ${inArray(jobs.state, ['failed', 'cancelled'])}
          and ${jobs.progress} ->> '$.drain' = ${id}) < ${attemptsPerStore}`,
      ),
    )
    .orderBy(stores.id);
