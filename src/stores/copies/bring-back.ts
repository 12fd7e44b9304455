import { and, eq, isNotNull, lt, ne } from 'drizzle-orm';
import * as z from 'zod';
import { log } from '../../base/log.ts';
import {
  type Database,
  hasShard,
  openDatabase,
  restoringShards,
  shardBinding,
} from '../../data/core/open-database.ts';
import type { JobOutcome, JobRun } from '../../data/directory/job.ts';
import { findStoresById } from '../../data/directory/stores.ts';
import { stores } from '../../data/schema/directory/directory-tables.ts';
import { jobs, storeCopies } from '../../data/schema/directory/operators-tables.ts';
import { placements, PlacementState } from '../../data/schema/store/placement-tables.ts';
import { firstBlock } from '../../data/shards/id-blocks.ts';
import { firstIdOfShard } from '../../data/shards/shard-numbers.ts';
import { countRows } from '../erasure/erase-rows.ts';
import { importName } from '../move/orphans.ts';
import { isIncoming, isLost, type MoveName } from '../move/outgoing-move.ts';
import { announceIn, raiseAbove } from '../move/steps.ts';
import { load } from '../pump/load.ts';
import { beginPlacement, fenceSource } from './bring-back-place.ts';
import { hashOf, openCopies, type CopiesBucket } from './copies-bucket.ts';
import { manifestKey, parseManifest, type Manifest, type ReadManifest } from './manifest.ts';
import { BrokenCopy, feedOfCopy } from './parts.ts';

/** While a move of the store is under way, the import looks again so much later. */
const lookAgainMs = 20_000;

/** Where a store comes back to, and from which copy. */
const ImportProgress = z.object({ toShard: z.int(), copyId: z.int() });

const failed = (error: string): JobOutcome => ({ state: 'failed', error });

/**
 * Brings a store back from a copy. Its rows are written into a shard that has none of it, while it goes on where it is,
 * if it does. Only when all are there and counted, the store changes its place. Each write requires the place before
 * it, so a step that dies is repeated from there. What a job leaves that ended before, the sweep deletes.
 */
export async function bringBack(run: JobRun): Promise<JobOutcome> {
  const { env, job, hasTime, now, save } = run;
  const { toShard, copyId } = ImportProgress.parse(job.progress);
  const storeId = job.store_id ?? 0;
  const bucket = openCopies(env);
  if (!bucket) return failed('No bucket for copies is set up.');
  const directory = openDatabase(env.DIRECTORY);
  const target = openDatabase(shardBinding(env, toShard));
  const read = await readManifest(bucket, directory, { storeId, copyId });
  if ('problem' in read) return failed(read.problem);
  const { manifest } = read;
  const name = { store_id: storeId, move_id: importName(job.id) };
  if (job.progress['begunAt'] === undefined) {
    const outcome = await fill(run, { bucket, directory, target, manifest, name });
    if (outcome) return outcome;
    // From here on the import cannot be cancelled: the store leaves its old place.
    await save({ progress: { ...job.progress, begunAt: now() } });
  }
  if (!hasTime()) return { state: 'waits', dueAt: now() };
  return changePlace(run, { directory, target, manifest, name });
}

interface Parts {
  directory: Database;
  target: Database;
  manifest: Manifest;
  name: MoveName;
}

/** Reads the manifest that was written, and no other. Two round trips. */
async function readManifest(
  bucket: CopiesBucket,
  directory: Database,
  { storeId, copyId }: { storeId: number; copyId: number },
): Promise<ReadManifest> {
  const [copy] = await directory
    .select()
    .from(storeCopies)
    .where(and(eq(storeCopies.id, copyId), eq(storeCopies.store_id, storeId)));
  if (!copy || copy.finished_at === null) return { problem: 'There is no such copy.' };
  const content = await bucket.get(manifestKey(storeId, copy.name));
  if (!content) return { problem: 'The copy is not whole: it has no manifest.' };
  if ((await hashOf(content)) !== copy.manifest_hash) {
    return { problem: 'The manifest of the copy is not the one that was written.' };
  }
  return parseManifest(new TextDecoder().decode(content));
}

/** Writes all rows into the new shard. Returns the outcome of the step unless they are there. */
async function fill(
  { job, now, hasTime, save }: JobRun,
  { bucket, directory, target, manifest, name }: Parts & { bucket: CopiesBucket },
): Promise<JobOutcome | undefined> {
  const toShard = job.shard;
  const again: JobOutcome = { state: 'waits', dueAt: now() };
  try {
    // The sweep of this shard looks for the job of an import by its name (`orphans.ts`).
    const isEmpty = Object.keys(await countRows(target, name.store_id)).length === 0;
    const announced = { ...name, from_shard: toShard };
    if (!(await announceIn(target, announced, hasTime, isEmpty))) return again;
  } catch (error) {
    if (!isLost(error)) throw error;
    return failed(`Shard ${toShard} has the store, or it is on its way there.`);
  }
  const hasRoom = await raiseAbove(directory, target, {
    old: new Map(Object.entries(manifest.counters)),
    shard: toShard,
    guard: isIncoming(name),
    // A new database of a lost shard would give out ids again that came after the copy.
    isBehind: (present) =>
      toShard === manifest.shard && Math.max(0, ...present.values()) < firstIdOfShard(firstBlock),
  });
  if (!hasRoom) return failed('No block of ids is left.');
  try {
    const loaded = await load(target, name, feedOfCopy(bucket, manifest), hasTime);
    await save({ done: loaded.position, total: manifest.parts.length * 2 });
    if (!loaded.isComplete) return again;
  } catch (error) {
    if (error instanceof BrokenCopy) return failed(error.message);
    throw error;
  }
  const counts = await countRows(target, name.store_id);
  const missing = Object.entries(manifest.tables).map(
    ([table, rows]) => [table, rows - (counts[table] ?? 0)] as const,
  );
  const differing = missing.find(([, rows]) => rows !== 0);
  if (manifest.consistent && differing) return failed(`Rows of ${differing[0]} are missing.`);
  const dropped = missing.reduce((sum, [, rows]) => sum + rows, 0);
  await save({ progress: { ...job.progress, dropped } });
  return undefined;
}

/** Ends the old place of the store, if it can be asked, begins the new one, and then tells the directory. */
async function changePlace(
  { env, job, now }: JobRun,
  { directory, target, manifest, name }: Parts,
): Promise<JobOutcome> {
  const storeId = name.store_id;
  const [[store], [row]] = await Promise.all([
    findStoresById(directory, [storeId]),
    directory
      .select({ epoch: stores.epoch, erased_at: stores.erased_at })
      .from(stores)
      .where(eq(stores.id, storeId)),
  ]);
  if (!store || !row || row.erased_at !== null) return failed('The store was erased.');
  const toShard = job.shard;
  let epoch = Math.max(row.epoch, manifest.epoch);
  const isAsked = hasShard(env, store.shard) && !restoringShards(env).has(store.shard);
  if (store.shard !== toShard && isAsked) {
    const source = openDatabase(shardBinding(env, store.shard));
    const left = await fenceSource(source, name, { toShard, now: now() });
    if (left === undefined) return { state: 'waits', dueAt: now() + lookAgainMs };
    epoch = Math.max(epoch, left);
  }
  const [present] = await target
    .select()
    .from(placements)
    .where(and(eq(placements.store_id, storeId), ne(placements.state, PlacementState.gone)));
  if (!present) {
    await beginPlacement({ env, target, store, manifest, name, epoch, now: now() });
  }
  const [placed] = await target.select().from(placements).where(eq(placements.store_id, storeId));
  if (placed?.state !== PlacementState.here) return failed('The store is not in its new place.');
  await directory.batch([
    directory
      .update(stores)
      .set({ shard: toShard, epoch: placed.epoch })
      .where(and(eq(stores.id, storeId), lt(stores.epoch, placed.epoch))),
    // The sweep of a lost shard takes no steps.
    directory
      .update(jobs)
      .set({ shard: toShard })
      .where(and(eq(jobs.store_id, storeId), isNotNull(jobs.due_at), ne(jobs.id, job.id))),
  ]);
  const dropped = Number(job.progress['dropped'] ?? 0);
  const rows = manifest.rows - dropped;
  log('info', 'store_imported', {
    store: storeId,
    shard: toShard,
    from_shard: store.shard,
    rows,
    dropped,
  });
  return { state: 'done', result: { counts: { rows, dropped } } };
}
