import { and, eq, sql, type SQL } from 'drizzle-orm';
import { abortUnless, abortCauseOf } from '../../data/core/data-errors.ts';
import type { Database } from '../../data/core/open-database.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import { leases, releaseAll } from '../../data/queues.ts';
import { incomingMoves, outgoingMoves } from '../../data/schema/store/moves-tables.ts';
import { movingLease } from '../../data/schema/store/webhooks-tables.ts';
import type { SweepContext } from '../../data/sweep-task.ts';

/** A row of `outgoingMoves`. */
export type OutgoingMove = typeof outgoingMoves.$inferSelect;

/** The name of a move in both of its shards. */
export type MoveName = Pick<OutgoingMove, 'store_id' | 'move_id'>;

/** One move as a step sees it. */
export interface Move extends OutgoingMove {
  context: SweepContext;
  source: Database;
  target: Database;
}

/** The result of an operator's request. */
export type MoveResult = { ok: true } | { ok: false; reason: string };

export const refused = (reason: string): MoveResult => ({ ok: false, reason });

/**
 * Whether a batch failed because another run, or an operator, has taken the move further. Nothing
 * was changed then.
 */
export const isLost = (error: unknown) => abortCauseOf(error) === 'move_lost';

/** Aborts the batch unless the condition holds. A select, so it costs no written row. */
export const requireThat = (db: Database, condition: SQL) =>
  rawDatabaseStatement(db, abortUnless(condition, 'move_lost'));

/** The row of a move in its old shard. */
export const isOutgoingMove = ({ store_id, move_id }: MoveName) =>
  and(eq(outgoingMoves.store_id, store_id), eq(outgoingMoves.move_id, move_id));

/** Finds the outgoing move of a store. One round trip. */
export async function findOutgoingMove(
  source: Database,
  storeId: number,
): Promise<OutgoingMove | undefined> {
  const found = await source
    .select()
    .from(outgoingMoves)
    .where(eq(outgoingMoves.store_id, storeId));
  return found[0];
}

/** Aborts a batch of the source unless the move is in this state. */
export const requireState = (move: Move, state: number) =>
  requireThat(
    move.source,
    sql`exists (select 1 from ${outgoingMoves} where ${isOutgoingMove(move)} and state = ${state})`,
  );

/** The statement that begins a state. */
export const beginState = (move: Move, state: number) =>
  move.source
    .update(outgoingMoves)
    .set({ state, since: move.context.now() })
    .where(isOutgoingMove(move));

/** The condition in the new shard that the move of a store is at a position, if one is given. */
export const isIncoming = ({ store_id, move_id }: MoveName, position?: number) =>
  sql`exists (select 1 from ${incomingMoves} where store_id = ${store_id} and move_id = ${move_id}${
    position === undefined ? sql`` : sql` and position = ${position}`
  })`;

/** The statement that returns the webhooks of a store to their workers. */
export const freeLeases = (db: Database, storeId: number) =>
  rawDatabaseStatement(db, releaseAll(leases.endpoints, movingLease, sql`store_id = ${storeId}`));
