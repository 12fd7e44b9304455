import { and, eq, lte, sql } from 'drizzle-orm';
import { log } from '../../base/log.ts';
import { openDatabase, shardBinding, type Database } from '../../data/core/open-database.ts';
import { findStoresById } from '../../data/directory/stores.ts';
import { timerBounds } from '../../data/schema/store/internal-tables.ts';
import { outgoingMoves, OutgoingMoveState } from '../../data/schema/store/moves-tables.ts';
import { placements, PlacementState } from '../../data/schema/store/placement-tables.ts';
import { deleteIncomingMove } from './orphans.ts';
import {
  findOutgoingMove,
  freeLeases,
  isLost,
  isOutgoingMove,
  refused,
  requireState,
  requireThat,
  type Move,
  type MoveName,
  type MoveResult,
} from './outgoing-move.ts';
import { unknownStore } from './start-move.ts';

/**
 * Ends a move before its switch, or returns the reason why not. The store is served as before at
 * once. With `moveId`, only the move of that name.
 */
export async function abortMove(
  env: Env,
  storeId: number,
  { moveId, now }: { moveId?: string; now: number },
): Promise<MoveResult> {
  const [store] = await findStoresById(openDatabase(env.DIRECTORY), [storeId]);
  if (!store) return refused(unknownStore);
  const source = openDatabase(shardBinding(env, store.shard));
  const outgoingMove = await findOutgoingMove(source, storeId);
  if (!outgoingMove || (moveId !== undefined && outgoingMove.move_id !== moveId)) {
    return refused(noMove);
  }
  try {
    await source.batch(abortStatements(source, outgoingMove, 'by an operator', now));
    return { ok: true };
  } catch (error) {
    if (isLost(error)) return refused('The store has moved; move it back.');
    throw error;
  }
}

const noMove = 'No move of this store is under way.';

/**
 * The statements that keep the store here. The first of them requires a state in which that is
 * possible.
 */
const abortStatements = (source: Database, move: MoveName, reason: string, now: number) =>
  [
    requireThat(
      source,
      sql`exists (select 1 from ${outgoingMoves}
        where ${and(isOutgoingMove(move), lte(outgoingMoves.state, OutgoingMoveState.verifying))})`,
    ),
    source
      .update(placements)
      .set({ state: PlacementState.here, to_shard: null })
      .where(eq(placements.store_id, move.store_id)),
    freeLeases(source, move.store_id),
    source.update(timerBounds).set({ due_at: 0 }),
    source
      .update(outgoingMoves)
      .set({ state: OutgoingMoveState.aborting, reason, since: now })
      .where(eq(outgoingMoves.store_id, move.store_id)),
  ] as const;

export async function abort(move: Move, reason: string): Promise<void> {
  await move.source.batch(abortStatements(move.source, move, reason, move.context.now()));
  move.reason = reason;
}

/** Deletes the copies of an aborted move. Returns whether none remains. */
export async function deleteCopies(move: Move): Promise<boolean> {
  const { source, target, context, store_id, to_shard, reason } = move;
  if (!(await deleteIncomingMove(target, move, context.hasTime))) return false;
  await source.batch([
    requireState(move, OutgoingMoveState.aborting),
    source.delete(outgoingMoves).where(eq(outgoingMoves.store_id, store_id)),
  ]);
  log('error', 'store_move_aborted', {
    alert: true,
    store: store_id,
    shard: context.shard,
    to_shard,
    reason,
  });
  return true;
}
