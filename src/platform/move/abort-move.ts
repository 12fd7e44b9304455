import { and, eq, lte, sql } from 'drizzle-orm';
import { log } from '../../base/log.ts';
import type { Database } from '../../data/core/open-database.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import { leases, releaseAll } from '../../data/queues.ts';
import { timerBounds } from '../../data/schema/store/internal-tables.ts';
import { outgoingMoves, OutgoingMoveState } from '../../data/schema/store/moves-tables.ts';
import { placements, PlacementState } from '../../data/schema/store/placement-tables.ts';
import { movingLease } from '../../data/schema/store/webhooks-tables.ts';
import { deleteIncomingMove } from './orphans.ts';
import {
  isOutgoingMove,
  requireState,
  requireThat,
  type Move,
  type MoveName,
} from './outgoing-move.ts';

/** The statement that returns the webhooks of a store to their workers. */
export const freeLeases = (db: Database, storeId: number) =>
  rawDatabaseStatement(db, releaseAll(leases.endpoints, movingLease, sql`store_id = ${storeId}`));

/** The statements that keep the store here. The first of them requires a state in which that is possible. */
export const abortStatements = (source: Database, move: MoveName, reason: string, now: number) =>
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
export async function withdraw(move: Move): Promise<boolean> {
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
