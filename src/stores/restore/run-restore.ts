import { and, eq } from 'drizzle-orm';
import * as z from 'zod';
import { type Database, openDatabase, shardBinding } from '../../data/core/open-database.ts';
import type { JobOutcome, JobRun } from '../../data/directory/job.ts';
import { storeCopies } from '../../data/schema/directory/operators-tables.ts';
import { countRows } from '../../data/shards/clean-store.ts';
import { firstBlock } from '../../data/shards/id-blocks.ts';
import { firstIdOfShard } from '../../data/shards/shard-numbers.ts';
import { hashOf, openCopies, type CopiesBucket } from '../copies/copies-bucket.ts';
import { BrokenCopy, manifestKey, parseManifest, type Manifest } from '../copies/manifest.ts';
import { feedOfCopy } from '../copies/parts.ts';
import { restoreName } from '../move/orphans.ts';
import { isIncoming, isLost } from '../move/outgoing-move.ts';
import { announceIn, raiseAbove } from '../move/steps.ts';
import { load } from '../pump/load.ts';
import { changePlace, failedRestore, type Restore } from './change-place.ts';

/** Into which shard a store is restored, and from which copy. */
const RestoreProgress = z.object({ toShard: z.int(), copyId: z.int() });

/**
 * Restores a store from a copy. Its rows are written into a shard that has none of it, while it
 * goes on where it is, if it does. Only when all are there and counted, the store changes its
 * place. Each write requires the place before it, so a step that dies is repeated from there. What
 * a job leaves that ended before, the sweep deletes.
 */
export async function runRestore(run: JobRun): Promise<JobOutcome> {
  const { env, job, hasTime, now, save } = run;
  const { toShard, copyId } = RestoreProgress.parse(job.progress);
  const storeId = job.store_id ?? 0;
  const bucket = openCopies(env);
  if (!bucket) return failedRestore('No bucket for copies is set up.');
  const directory = openDatabase(env.DIRECTORY);
  const target = openDatabase(shardBinding(env, toShard));
  const name = { store_id: storeId, move_id: restoreName(job.id) };
  try {
    const manifest = await readManifest(bucket, directory, { storeId, copyId });
    const restore = { directory, target, manifest, name };
    if (job.progress['begunAt'] === undefined) {
      const outcome = await fill(run, restore, bucket);
      if (outcome) return outcome;
      // From here on the restore cannot be cancelled: the store leaves its old place.
      await save({ progress: { ...job.progress, begunAt: now() } });
    }
    if (!hasTime()) return { state: 'waits', dueAt: now() };
    return await changePlace(run, restore);
  } catch (error) {
    if (error instanceof BrokenCopy) return failedRestore(error.message);
    throw error;
  }
}

/** Reads the manifest that was written, and no other. Two round trips. */
async function readManifest(
  bucket: CopiesBucket,
  directory: Database,
  { storeId, copyId }: { storeId: number; copyId: number },
): Promise<Manifest> {
  const [copy] = await directory
    .select()
    .from(storeCopies)
    .where(and(eq(storeCopies.id, copyId), eq(storeCopies.store_id, storeId)));
  if (!copy || copy.finished_at === null) throw new BrokenCopy('There is no such copy.');
  const content = await bucket.get(manifestKey(storeId, copy.name));
  if (!content) throw new BrokenCopy('The copy is not whole: it has no manifest.');
  if ((await hashOf(content)) !== copy.manifest_hash) {
    throw new BrokenCopy('The manifest of the copy is not the one that was written.');
  }
  return parseManifest(new TextDecoder().decode(content));
}

/** Writes all rows into the new shard. Returns the outcome of the step unless they are there. */
async function fill(
  { job, now, hasTime, save }: JobRun,
  { directory, target, manifest, name }: Restore,
  bucket: CopiesBucket,
): Promise<JobOutcome | undefined> {
  const toShard = job.shard;
  const again: JobOutcome = { state: 'waits', dueAt: now() };
  try {
    // The sweep of this shard looks for the job of a restore by its name (`orphans.ts`).
    const isEmpty = Object.keys(await countRows(target, name.store_id)).length === 0;
    const announced = { ...name, from_shard: toShard };
    if (!(await announceIn(target, announced, hasTime, isEmpty))) return again;
  } catch (error) {
    if (!isLost(error)) throw error;
    return failedRestore(`Shard ${toShard} has the store, or it is on its way there.`);
  }
  const hasRoom = await raiseAbove(directory, target, {
    old: new Map(Object.entries(manifest.counters)),
    shard: toShard,
    guard: isIncoming(name),
    // A new database of a lost shard would give out ids again that came after the copy.
    isBehind: (present) =>
      toShard === manifest.shard && Math.max(0, ...present.values()) < firstIdOfShard(firstBlock),
  });
  if (!hasRoom) return failedRestore('No block of ids is left.');
  const loaded = await load(target, name, feedOfCopy(bucket, manifest), hasTime);
  await save({ done: loaded.position, total: manifest.parts.length * 2 });
  if (!loaded.isComplete) return again;
  const counts = await countRows(target, name.store_id);
  const missing = Object.entries(manifest.tables).map(
    ([table, rows]) => [table, rows - (counts[table] ?? 0)] as const,
  );
  const differing = missing.find(([, rows]) => rows !== 0);
  if (manifest.consistent && differing)
    return failedRestore(`Rows of ${differing[0]} are missing.`);
  const dropped = missing.reduce((sum, [, rows]) => sum + rows, 0);
  await save({ progress: { ...job.progress, dropped } });
  return undefined;
}
