import { eq, sql } from 'drizzle-orm';
import type { Database } from '../../data/core/open-database.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import type { KnownStore } from '../../data/core/store.ts';
import {
  incomingMoves,
  outgoingMoves,
  OutgoingMoveState,
} from '../../data/schema/store/moves-tables.ts';
import { placements, PlacementState } from '../../data/schema/store/placement-tables.ts';
import { factsOf, updateFactsStatements } from '../../data/shards/placements.ts';
import { endFormerMemberships } from '../../oauth/token/grantor.ts';
import {
  freeLeases,
  isIncoming,
  isLost,
  requireThat,
  type MoveName,
} from '../move/outgoing-move.ts';
import { newPlacementStatements } from '../move/settle.ts';
import type { Manifest } from './manifest.ts';

/**
 * Ends the placement of a store in its old shard, which then forwards. Its data stay for 30 days, as after a move. Returns its
 * epoch there, 0 if the shard does not know it; `undefined` while a move is under way.
 */
export async function fenceSource(
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
        .values({ store_id, ...gone })
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
 * Begins the placement of a store whose rows came from a copy, as `drizzle/after-restore.sql` does for a shard. Receivers see
 * a later epoch, and outstanding codes expire. Refresh tokens that are ahead of their grants move these forward for a day. Apps
 * that were connected by people who have left lose access before.
 */
export async function beginPlacement({
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
  const epoch = Math.max(known + 1, seconds);
  const here = {
    state: PlacementState.here,
    to_shard: null,
    epoch,
    facts: factsOf(store),
    version: store.version,
  };
  await target.batch([
    requireThat(target, isIncoming(name)),
    freeLeases(target, storeId),
    run(
      sql`update webhook_endpoints set epoch = max(epoch + 1, ${seconds}) where store_id = ${storeId}`,
    ),
    run(sql`insert into webhook_notices (store_id, endpoint_id, kind, at)
      select store_id, id, 'restored', ${now} from webhook_endpoints where store_id = ${storeId} and status <> 3`),
    run(sql`update oauth_grants set code_expires_at = min(code_expires_at, ${now})
      where store_id = ${storeId} and generation = 0`),
    run(sql`update oauth_grants set fast_forward_until = ${now + 86_400_000}
      where store_id = ${storeId} and revoked_at is null`),
    target
      .insert(placements)
      .values({ store_id: storeId, ...here })
      .onConflictDoUpdate({ target: placements.store_id, set: here }),
    ...updateFactsStatements(target, [store], now),
    target.delete(incomingMoves).where(eq(incomingMoves.store_id, storeId)),
    ...newPlacementStatements(target, {
      withdrawnTo: manifest.withdrawn_to,
      changes: manifest.changes,
    }),
  ]);
}
