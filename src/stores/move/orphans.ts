import { and, eq, isNull } from 'drizzle-orm';
import {
  openDatabase,
  type Database,
  hasShard,
  shardBinding,
} from '../../data/core/open-database.ts';
import { jobs } from '../../data/schema/directory/operators-tables.ts';
import { incomingMoves } from '../../data/schema/store/moves-tables.ts';
import { placements } from '../../data/schema/store/placement-tables.ts';
import { deleteRows, keptTables } from '../../data/shards/clean-store.ts';
import type { SweepContext } from '../../data/sweep-task.ts';
import {
  findOutgoingMove,
  isIncoming,
  isLost,
  requireThat,
  type MoveName,
} from './outgoing-move.ts';

/** Deletes the copies of an aborted move, while time remains. Returns whether none remains. */
export async function deleteIncomingMove(
  target: Database,
  move: MoveName,
  hasTime: () => boolean,
): Promise<boolean> {
  const { store_id, move_id } = move;
  // From here on no late chunk of a copy is accepted.
  const marked = await target
    .update(incomingMoves)
    .set({ position: -1 })
    .where(and(eq(incomingMoves.store_id, store_id), eq(incomingMoves.move_id, move_id)))
    .returning({ id: incomingMoves.store_id });
  if (marked.length === 0) return true;
  const stayed = await target
    .select({ id: placements.store_id })
    .from(placements)
    .where(eq(placements.store_id, store_id));
  const kept = stayed.length === 0 ? undefined : keptTables;
  const isWithdrawn = () => requireThat(target, isIncoming(move, -1));
  if (!(await deleteRows(target, store_id, isWithdrawn, hasTime, kept))) return false;
  await target.batch([
    isWithdrawn(),
    target.delete(incomingMoves).where(eq(incomingMoves.store_id, store_id)),
  ]);
  return true;
}

/** The name of the restore of a store from a copy, by its job. */
export const restoreName = (jobId: number) => `restore-${jobId}`;

/** Whether the old shard still has the move; for a restore, whether its job is still open. */
async function isExpected(env: Env, { store_id, move_id, from_shard }: IncomingMove) {
  const jobId = /^restore-(\d+)$/.exec(move_id)?.[1];
  if (jobId !== undefined) {
    const [job] = await openDatabase(env.DIRECTORY)
      .select({ id: jobs.id })
      .from(jobs)
      .where(and(eq(jobs.id, Number(jobId)), isNull(jobs.finished_at)));
    return job !== undefined;
  }
  const source = openDatabase(shardBinding(env, from_shard));
  return (await findOutgoingMove(source, store_id))?.move_id === move_id;
}

type IncomingMove = typeof incomingMoves.$inferSelect;

/**
 * Deletes incoming moves that are over: a late run has announced a store again. Otherwise work on
 * this shard would pause, and the store could not come.
 */
export async function withdrawOrphans({ env, db, hasTime }: SweepContext): Promise<void> {
  const target = openDatabase(db);
  for (const incomingMove of await target.select().from(incomingMoves)) {
    if (!hasTime() || !hasShard(env, incomingMove.from_shard)) continue;
    if (await isExpected(env, incomingMove)) continue;
    await deleteIncomingMove(target, incomingMove, hasTime).catch((error: unknown) => {
      if (!isLost(error)) throw error;
    });
  }
}
