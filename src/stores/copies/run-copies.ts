import { and, eq, gt, isNull, lt, or, sql } from 'drizzle-orm';
import * as z from 'zod';
import { dayMs, hourMs, minuteMs } from '../../base/durations.ts';
import { log } from '../../base/log.ts';
import { openDatabase, shardBinding } from '../../data/core/open-database.ts';
import type { JobOutcome, JobRun } from '../../data/directory/job.ts';
import { storeCopies } from '../../data/schema/directory/operators-tables.ts';
import { placements, PlacementState } from '../../data/schema/store/placement-tables.ts';
import { openCopies } from './copies-bucket.ts';
import { StoreCopy, StoreProgress } from './copy-one.ts';
import { deleteCopy } from './manifest.ts';

/**
 * When a night begins, in milliseconds of a day of UTC: two o'clock in São Paulo. The shards share
 * two hours.
 */
const beginsAt = 5 * hourMs;
const spreadMs = 2 * hourMs;

/** Stores that are looked up at once. */
const storesPerPage = 50;

/** Stores of a step at most: an invocation may make 1,000 calls. */
const storesPerStep = 100;

/** A copy that was begun so long ago and has no manifest was given up. */
const givenUpMs = dayMs;

/** How far a night is. */
const Night = z.object({
  startedAt: z.int(),
  /** The last store that is done. */
  after: z.int(),
  copied: z.int(),
  unchanged: z.int(),
  /** The store in work. */
  store: StoreProgress.optional(),
});

type Night = z.output<typeof Night>;

/** The first time after `now` at which the copies of a shard begin. */
export function nextNight(shard: number, now: number): number {
  const today = Math.floor(now / dayMs) * dayMs + beginsAt + ((shard * 7 * minuteMs) % spreadMs);
  return today > now ? today : today + dayMs;
}

/**
 * Copies each store of a shard that has changed since its last copy to the bucket, and deletes
 * copies that are too old. Then waits for the next night: the job of a shard never ends. How far it
 * is, is saved after what was stored. So a step that dies is repeated, and leaves at most a copy
 * without a manifest.
 */
export async function runCopies(run: JobRun): Promise<JobOutcome> {
  const { env, job, now, hasTime, save } = run;
  const bucket = openCopies(env);
  if (!bucket) return { state: 'cancelled', error: 'No bucket for copies is set up.' };
  const directory = openDatabase(env.DIRECTORY);
  const shard = openDatabase(shardBinding(env, job.shard));
  const fresh = { startedAt: now(), after: 0, copied: 0, unchanged: 0 };
  const night: Night = Night.safeParse(job.progress).data ?? fresh;
  const again: JobOutcome = { state: 'waits', dueAt: now() };
  const saveNight = () => save({ done: night.copied + night.unchanged, progress: { ...night } });
  for (let stores = 0; ;) {
    const page = await shard
      .select({ id: placements.store_id })
      .from(placements)
      .where(and(eq(placements.state, PlacementState.here), gt(placements.store_id, night.after)))
      .orderBy(placements.store_id)
      .limit(storesPerPage);
    if (page.length === 0) break;
    const ids = page.map(({ id }) => id);
    const [latest, old] = await directory.batch([
      directory.select({ id: storeCopies.store_id, digest: storeCopies.digest }).from(storeCopies)
        .where(sql`id in (select max(id) from ${storeCopies}
          where store_id in (select value from json_each(${JSON.stringify(ids)})) and finished_at is not null
          group by store_id)`),
      selectOld(directory, ids, now(), bucket.keptMs),
    ]);
    for (const { id, storeId, name } of old) {
      if (night.store?.name === name) continue;
      if (!(await deleteCopy(bucket, { storeId, name }, hasTime))) return again;
      await directory.delete(storeCopies).where(eq(storeCopies.id, id));
    }
    const digests = new Map(latest.map(({ id, digest }) => [id, digest]));
    for (const id of ids) {
      stores += 1;
      const isOver = stores > storesPerStep || !hasTime();
      const result = isOver
        ? 'unfinished'
        : await new StoreCopy(
            { run, bucket, directory, shard },
            { storeId: id, digest: digests.get(id) },
            night.store,
            (store) => save({ progress: { ...night, store } }),
          ).run();
      if (result === 'unfinished') {
        if (isOver) await saveNight();
        return again;
      }
      night.after = id;
      delete night.store;
      if (result === 'unchanged') night.unchanged += 1;
      if (result !== 'copied') continue;
      night.copied += 1;
      await saveNight();
    }
  }
  const { copied, unchanged, startedAt } = night;
  log('info', 'stores_copied', { shard: job.shard, copied, unchanged, ms: now() - startedAt });
  const total = copied + unchanged;
  await save({ done: total, total, progress: { lastNight: { copied, unchanged, at: now() } } });
  return { state: 'waits', dueAt: nextNight(job.shard, now()), isIdle: true };
}

/**
 * Selects copies of stores that a later one replaced long enough ago, and those that were given up.
 */
function selectOld(
  directory: ReturnType<typeof openDatabase>,
  storeIds: readonly number[],
  now: number,
  keptMs: number,
) {
  const { id, store_id, name, begun_at, finished_at } = storeCopies;
  return directory
    .select({ id, storeId: store_id, name })
    .from(storeCopies)
    .where(
      and(
        sql`${store_id} in (select value from json_each(${JSON.stringify(storeIds)}))`,
        or(
          and(isNull(finished_at), lt(begun_at, now - givenUpMs)),
          sql`exists (select 1 from ${storeCopies} as later where later.store_id = ${store_id}
            and later.id > ${id} and later.finished_at < ${now - keptMs})`,
        ),
      ),
    );
}
