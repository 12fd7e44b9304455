import { and, eq, isNotNull, lt, ne, sql } from 'drizzle-orm';
import { log } from '../../base/log.ts';
import {
  type Database,
  hasShard,
  openDatabase,
  restoringShards,
  shardBinding,
} from '../../data/core/open-database.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import type { KnownStore } from '../../data/core/store.ts';
import type { JobOutcome, JobRun } from '../../data/directory/job.ts';
import { findStoresById } from '../../data/directory/stores.ts';
import { stores } from '../../data/schema/directory/directory-tables.ts';
import { jobs } from '../../data/schema/directory/operators-tables.ts';
import {
  incomingMoves,
  outgoingMoves,
  OutgoingMoveState,
} from '../../data/schema/store/moves-tables.ts';
import { placements, PlacementState } from '../../data/schema/store/placement-tables.ts';
import { factsOf, updateFactsStatements } from '../../data/shards/placements.ts';
import { endFormerMemberships } from '../../oauth/token/grant-steps.ts';
import type { Manifest } from '../copies/manifest.ts';
import { isLost, requireThat, type MoveName } from '../move/outgoing-move.ts';
import { placementStatements } from '../move/settle.ts';

/** While a move of the store is under way, the restore looks again so much later. */
const lookAgainMs = 20_000;

/** A restore under way: its databases, its copy and its name. */
export interface Restore {
  directory: Database;
  target: Database;
  manifest: Manifest;
  name: MoveName;
}

export const failedRestore = (error: string): JobOutcome => ({ state: 'failed', error });

/**
 * Ends the old place of the store, if it can be asked, begins the new one, and then tells the
 * directory.
 */
export async function changePlace(
  { env, job, now }: JobRun,
  { directory, target, manifest, name }: Restore,
): Promise<JobOutcome> {
  const storeId = name.store_id;
  const [[store], [row]] = await Promise.all([
    findStoresById(directory, [storeId]),
    directory
      .select({ epoch: stores.epoch, erased_at: stores.erased_at })
      .from(stores)
      .where(eq(stores.id, storeId)),
  ]);
  if (!store || !row || row.erased_at !== null) return failedRestore('The store was erased.');
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
  if (placed?.state !== PlacementState.here)
    return failedRestore('The store is not in its new place.');
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
  log('info', 'store_restored', {
    store: storeId,
    shard: toShard,
    from_shard: store.shard,
    rows,
    dropped,
  });
  return { state: 'done', result: { counts: { rows, dropped } } };
}

/**
 * Ends the placement of a store in its old shard, which then forwards. Its data stay for 30 days,
 * as after a move. Returns its epoch there, 0 if the shard does not know it; `undefined` while a
 * move is under way.
 */
async function fenceSource(
  source: Database,
  { store_id, move_id }: MoveName,
  { toShard, now }: { toShard: number; now: number },
): Promise<number | undefined> {
  const gone = { state: PlacementState.gone, to_shard: toShard };
  const moved = {
    move_id,
    to_shard: toShard,
    state: OutgoingMoveState.moved,
    started_at: now,
    since: now,
  };
  try {
    const results = await source.batch([
      requireThat(
        source,
        sql`not exists (select 1 from ${placements} where store_id = ${store_id}
            and state <> ${PlacementState.here} and not (state = ${PlacementState.gone} and to_shard = ${toShard}))
          and not exists (select 1 from ${outgoingMoves}
            where store_id = ${store_id} and state <> ${OutgoingMoveState.moved})
          and not exists (select 1 from ${incomingMoves} where store_id = ${store_id})`,
      ),
      source
        .insert(placements)
        .values({ store_id, works: false, ...gone })
        .onConflictDoUpdate({ target: placements.store_id, set: gone }),
      source
        .insert(outgoingMoves)
        .values({ store_id, ...moved })
        .onConflictDoUpdate({ target: outgoingMoves.store_id, set: moved }),
      source.select().from(placements).where(eq(placements.store_id, store_id)),
    ]);
    return results[3][0]?.epoch ?? 0;
  } catch (error) {
    if (isLost(error)) return undefined;
    throw error;
  }
}

/**
 * Begins the placement of a store whose rows came from a copy, as `drizzle/after-restore.sql` does
 * for a shard. Receivers see a later epoch, and outstanding codes expire. Refresh tokens that are
 * ahead of their grants move these forward for a day. Apps that were connected by people who have
 * left lose access before.
 */
async function beginPlacement({
  env,
  target,
  store,
  manifest,
  name,
  epoch: known,
  now,
}: {
  env: Env;
  target: Database;
  store: KnownStore;
  manifest: Manifest;
  name: MoveName;
  epoch: number;
  now: number;
}): Promise<void> {
  const storeId = name.store_id;
  const run = (query: ReturnType<typeof sql>) => rawDatabaseStatement(target, query);
  const grantors = await target.all<{ userId: number; storeId: number }>(
    sql`select distinct user_id as "userId", store_id as "storeId" from oauth_grants
      where store_id = ${storeId} and revoked_at is null`,
  );
  if (grantors.length > 0) await endFormerMemberships(env, target, grantors, now);
  const seconds = Math.floor(now / 1000);
  await target.batch([
    ...placementStatements(target, name, {
      epoch: Math.max(known + 1, seconds),
      version: store.version,
      facts: factsOf(store),
      works: store.active,
      withdrawnTo: manifest.withdrawn_to,
      changes: manifest.changes,
    }),
    run(
      sql`update webhook_endpoints set epoch = max(epoch + 1, ${seconds}) where store_id = ${storeId}`,
    ),
    run(sql`insert into webhook_notices (store_id, endpoint_id, kind, at)
      select store_id, id, 'restored', ${now} from webhook_endpoints where store_id = ${storeId} and status <> 3`),
    run(sql`update oauth_grants set code_expires_at = min(code_expires_at, ${now})
      where store_id = ${storeId} and generation = 0`),
    run(sql`update oauth_grants set fast_forward_until = ${now + 86_400_000}
      where store_id = ${storeId} and revoked_at is null`),
    ...updateFactsStatements(target, [store], now),
  ]);
}
