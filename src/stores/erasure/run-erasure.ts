import { sql } from 'drizzle-orm';
import { minuteMs } from '../../base/durations.ts';
import { log } from '../../base/log.ts';
import { openDatabase, restoringShards } from '../../data/core/open-database.ts';
import type { JobOutcome, JobRun } from '../../data/directory/job.ts';
import { erasureNoticeMs } from '../../data/directory/request-job.ts';
import { stores } from '../../data/schema/directory/directory-tables.ts';
import { countRows } from '../../data/shards/clean-store.ts';
import { clearAudit, countInDirectory, leaveTombstone } from './erase-directory.ts';
import { countFiles, eraseFiles } from './erase-files.ts';
import { eraseGrants, eraseRows, fenceStore, type ErasedShard } from './erase-rows.ts';
import { announceErasure } from './erasure-notice.ts';

/** Delay of an erasure while a move is under way, or a shard is being restored. */
const busyMs = minuteMs;

/** Steps in a row that may find rows, before an alert. */
const maxLeftovers = 3;

interface ErasedStore {
  name: string;
  shard: number;
  closed_at: number | null;
  erase_at: number | null;
  erased_at: number | null;
}

type Counts = Record<string, number>;

/**
 * Erases the data of a store for ever. Before its day it only notifies the members. Then it fences
 * the store in every shard, counts its data, and deletes them in small steps. These are rows,
 * files, records of grants, names in the audit. Each step can be repeated. The counts are stored
 * before the first deletion, so a crash does not make them wrong. They are the certificate.
 */
export async function runErasure(run: JobRun): Promise<JobOutcome> {
  const { env, job, now, save } = run;
  const store = await openDatabase(env.DIRECTORY).get<ErasedStore | undefined>(
    sql`select name, shard, closed_at, erase_at, erased_at from ${stores} where id = ${job.store_id}`,
  );
  if (!store) return { state: 'failed', error: 'There is no such store.' };
  if (job.progress['begunAt'] === undefined) {
    const outcome = await waitForItsDay(run, store);
    if (outcome) return outcome;
    // From here on the erasure cannot be cancelled.
    await save({ progress: { begunAt: now() } });
  }
  return erase(run, store);
}

/** Returns the outcome of the step if the day has not come yet. */
async function waitForItsDay(
  { env, job, now, save }: JobRun,
  { name, closed_at: closedAt, erase_at: eraseAt }: ErasedStore,
): Promise<JobOutcome | undefined> {
  if (job.kind === 'immediate_erasure' && job.confirmed_at === null) {
    return { state: 'cancelled', error: 'No other operator confirmed it in time.' };
  }
  if (closedAt === null || eraseAt === null) {
    return { state: 'failed', error: 'The store was opened again.' };
  }
  const at = now();
  if (job.kind === 'immediate_erasure') return undefined;
  if (eraseAt <= at) return undefined;
  const announceAt = eraseAt - erasureNoticeMs;
  if (announceAt > at) return { state: 'waits', dueAt: announceAt, isIdle: true };
  if (job.progress['announced'] !== true) {
    await announceErasure(env, { id: job.store_id ?? 0, name, erase_at: eraseAt }, at);
    await save({ progress: { ...job.progress, announced: true } });
  }
  return { state: 'waits', dueAt: eraseAt, isIdle: true };
}

async function erase(
  { env, job, now, hasTime, save }: JobRun,
  store: ErasedStore,
): Promise<JobOutcome> {
  const storeId = job.store_id ?? 0;
  const again = (): JobOutcome => ({ state: 'waits', dueAt: now() });
  const later = (): JobOutcome => ({ state: 'waits', dueAt: now() + busyMs });
  if (restoringShards(env).size > 0) return later();
  const shards = await fenceStore(env, storeId);
  if (!shards) return later();
  const counts =
    (job.progress['counts'] as Counts | undefined) ?? (await countAll(env, shards, store, storeId));
  const total = Object.values(counts).reduce((sum, n) => sum + n, 0);
  await save({ total, progress: { ...job.progress, counts } });
  for (const shard of shards) {
    if (!(await eraseGrants(env, shard, storeId, hasTime))) return again();
    if (!(await eraseRows(shard, storeId, hasTime))) return again();
  }
  if (!(await eraseFiles(env.ARCHIVE, storeId, hasTime))) return again();
  const { eraseCopies } = await import('../copies/manifest.ts');
  if (!(await eraseCopies(env, storeId, hasTime))) return again();
  if (!(await clearAudit(env.DIRECTORY, storeId, hasTime))) return again();
  if (await hasLeftovers(shards, storeId)) {
    // A request that began before the fence may have ended behind it.
    const leftovers = Number(job.progress['leftovers'] ?? 0) + 1;
    await save({ progress: { ...job.progress, leftovers } });
    if (leftovers > maxLeftovers)
      log('error', 'erasure_incomplete', { alert: true, store: storeId });
    return later();
  }
  await leaveTombstone(env.DIRECTORY, job, now());
  await save({ done: total, total });
  return { state: 'done', result: { counts } };
}

/** Counts what the store has in its own shard; other shards only have older copies of it. */
async function countAll(
  env: Env,
  shards: readonly ErasedShard[],
  { shard }: ErasedStore,
  storeId: number,
): Promise<Counts> {
  const home = shards.find(({ number }) => number === shard);
  const [rows, files, others] = await Promise.all([
    home ? countRows(home.db, storeId) : {},
    countFiles(env.ARCHIVE, storeId),
    countInDirectory(env.DIRECTORY, storeId),
  ]);
  return { ...rows, ...others, ...(files > 0 && { files }) };
}

async function hasLeftovers(shards: readonly ErasedShard[], storeId: number): Promise<boolean> {
  const counts = await Promise.all(shards.map(({ db }) => countRows(db, storeId)));
  return counts.some((one) => Object.keys(one).length > 0);
}
