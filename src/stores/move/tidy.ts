import { and, asc, eq, inArray, lte, or } from 'drizzle-orm';
import { openDatabase } from '../../data/core/open-database.ts';
import {
  incomingMoves,
  outgoingMoves,
  OutgoingMoveState,
  shardIdentity,
} from '../../data/schema/store/moves-tables.ts';
import type { SweepContext } from '../../data/sweep-task.ts';
import { confirmPlacements } from './confirm.ts';
import { withdrawOrphans } from './orphans.ts';
import { keepMs } from './settle.ts';
import { makeStep } from './steps.ts';

/** A run that did so much has more to do; another round of the sweep follows at once. */
export const tidyLimit = 1;

/**
 * Clears up after moves. Confirms placements after a restore. Deletes the copies of aborted moves,
 * and the old data of stores that moved out a month ago. Ends moves that cannot be aborted. A job
 * makes the other steps (`stores/move`). Returns 1 if more can be done at once. Each step is a
 * transaction that requires the state that it found.
 */
export async function tidyMoves(context: SweepContext): Promise<number> {
  const { now, hasTime } = context;
  const db = openDatabase(context.db);
  const { state, since } = outgoingMoves;
  const [restored, over, incoming] = await db.batch([
    db.select({ id: shardIdentity.id }).from(shardIdentity).where(eq(shardIdentity.unconfirmed, 1)),
    db
      .select()
      .from(outgoingMoves)
      .where(
        or(
          inArray(state, [OutgoingMoveState.switched, OutgoingMoveState.aborting]),
          and(eq(state, OutgoingMoveState.moved), lte(since, now() - keepMs)),
        ),
      )
      .orderBy(asc(outgoingMoves.started_at), asc(outgoingMoves.store_id)),
    db.select({ id: incomingMoves.store_id }).from(incomingMoves),
  ]);
  if (restored.length > 0) await confirmPlacements(context);
  if (incoming.length > 0) await withdrawOrphans(context);
  for (const outgoingMove of over) {
    if (hasTime()) await makeStep(context, outgoingMove);
  }
  return hasTime() ? 0 : tidyLimit;
}
