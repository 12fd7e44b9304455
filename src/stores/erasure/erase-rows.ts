import { and, eq, inArray, sql } from 'drizzle-orm';
import { openDatabase, type Database, shardBindings } from '../../data/core/open-database.ts';
import { oauthGrants } from '../../data/schema/store/grants-tables.ts';
import {
  incomingMoves,
  outgoingMoves,
  OutgoingMoveState,
} from '../../data/schema/store/moves-tables.ts';
import { placements, PlacementState } from '../../data/schema/store/placement-tables.ts';
import { deleteRows } from '../../data/shards/clean-store.ts';
import { deleteGrantRecords } from '../../oauth/vault.ts';
import { requireThat } from '../move/outgoing-move.ts';

/** A shard that has, or had, data of a store. */
export interface ErasedShard {
  number: number;
  db: Database;
}

/**
 * Ends the placement of a store in every shard that knows it. From then on no request, timer or
 * delivery reaches its data, and no move begins. Returns these shards; `undefined` while a move is
 * under way. One round trip to each shard.
 */
export async function fenceStore(env: Env, storeId: number): Promise<ErasedShard[] | undefined> {
  const shards = [...shardBindings(env)].map(([number, db]) => ({ number, db: openDatabase(db) }));
  const isMovedAway = and(
    eq(outgoingMoves.store_id, storeId),
    eq(outgoingMoves.state, OutgoingMoveState.moved),
  );
  const states = await Promise.all(
    shards.map(async ({ db }) => {
      const [, , [found], [incomingMove]] = await db.batch([
        // A store that is moving out, or that is being copied in, is not fenced: its move ends
        // first.
        db
          .update(placements)
          .set({ state: PlacementState.erased, to_shard: null, facts: '' })
          .where(
            sql`store_id = ${storeId} and state in (${PlacementState.here}, ${PlacementState.gone})
              and not exists (select 1 from ${outgoingMoves}
                where store_id = ${storeId} and state <> ${OutgoingMoveState.moved})
              and not exists (select 1 from ${incomingMoves} where store_id = ${storeId})`,
          ),
        db
          .delete(outgoingMoves)
          .where(
            sql`${isMovedAway} and exists (select 1 from ${placements} where ${isErased(storeId)})`,
          ),
        db
          .select({ state: placements.state })
          .from(placements)
          .where(eq(placements.store_id, storeId)),
        db
          .select({ id: incomingMoves.store_id })
          .from(incomingMoves)
          .where(eq(incomingMoves.store_id, storeId)),
      ]);
      return incomingMove ? PlacementState.here : found?.state;
    }),
  );
  const known = shards.filter((_, index) => states[index] !== undefined);
  const isFenced = states.every((state) => state === undefined || state === PlacementState.erased);
  return isFenced ? known : undefined;
}

const isErased = (storeId: number) =>
  and(eq(placements.store_id, storeId), eq(placements.state, PlacementState.erased));

/** Grants whose records are deleted at once. Each is a call, and an invocation may make 1,000. */
const grantsPerStep = 100;

/**
 * Deletes the KV records of the grants of a store, and then these grants, while time remains.
 * Returns whether none remains.
 */
export async function eraseGrants(
  env: Env,
  { db }: ErasedShard,
  storeId: number,
  hasTime: () => boolean,
): Promise<boolean> {
  while (hasTime()) {
    const found = await db
      .select({ id: oauthGrants.id })
      .from(oauthGrants)
      .where(eq(oauthGrants.store_id, storeId))
      .orderBy(oauthGrants.id)
      .limit(grantsPerStep);
    const ids = found.map(({ id }) => id);
    if (ids.length === 0) return true;
    await deleteGrantRecords(env, ids);
    await db.batch([
      requireErased(db, storeId),
      db
        .delete(oauthGrants)
        .where(inArray(oauthGrants.id, sql`(select value from json_each(${JSON.stringify(ids)}))`)),
    ]);
  }
  return false;
}

/** Deletes all rows of a store from a shard, while time remains. Returns whether none remains. */
export const eraseRows = ({ db }: ErasedShard, storeId: number, hasTime: () => boolean) =>
  deleteRows(db, storeId, () => requireErased(db, storeId), hasTime);

const requireErased = (db: Database, storeId: number) =>
  requireThat(db, sql`exists (select 1 from ${placements} where ${isErased(storeId)})`);
