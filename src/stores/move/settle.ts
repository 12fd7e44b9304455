import { and, eq, gt, isNotNull, lt, sql } from 'drizzle-orm';
import { dayMs } from '../../base/durations.ts';
import { log } from '../../base/log.ts';
import { openDatabase, type Database } from '../../data/core/open-database.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import { stores } from '../../data/schema/directory/directory-tables.ts';
import { timerBounds } from '../../data/schema/store/internal-tables.ts';
import {
  incomingMoves,
  outgoingMoves,
  OutgoingMoveState,
} from '../../data/schema/store/moves-tables.ts';
import { placements, PlacementState } from '../../data/schema/store/placement-tables.ts';
import {
  longChanges,
  resealings,
  withdrawalProgress,
} from '../../data/schema/store/upkeep-tables.ts';
import { deleteRows, keptTables } from '../../data/shards/clean-store.ts';
import {
  beginState,
  freeLeases,
  isIncoming,
  requireState,
  requireThat,
  type Move,
  type MoveName,
} from './outgoing-move.ts';

/** The old data of a store that has moved stay for this time. */
export const keepMs = 30 * dayMs;

/**
 * Begins the placement of a store that is all there. The shard repeats for it the work that it has
 * done for all its stores. It finds the earliest timer, seals secrets with the current key, and
 * ends the grants of withdrawn apps. Long changes that its rows have not had begin anew.
 */
export function placementStatements(
  target: Database,
  name: MoveName,
  {
    withdrawnTo,
    changes,
    ...given
  }: {
    epoch: number;
    version: number;
    facts: string;
    works: boolean;
    withdrawnTo: number;
    changes: readonly string[];
  },
) {
  const { store_id } = name;
  const here = { state: PlacementState.here, to_shard: null, ...given };
  return [
    requireThat(target, isIncoming(name)),
    freeLeases(target, store_id),
    target
      .insert(placements)
      .values({ store_id, ...here })
      .onConflictDoUpdate({ target: placements.store_id, set: here }),
    target.delete(incomingMoves).where(eq(incomingMoves.store_id, store_id)),
    rawDatabaseStatement(
      target,
      sql`delete from ${longChanges} where name not in (select value from json_each(${JSON.stringify(changes)}))`,
    ),
    target.update(timerBounds).set({ due_at: 0 }),
    target.delete(resealings),
    target
      .update(withdrawalProgress)
      .set({ done_to: withdrawnTo })
      .where(gt(withdrawalProgress.done_to, withdrawnTo)),
  ] as const;
}

/**
 * Begins the placement in the new shard, then updates the directory. Neither shard owned the store
 * in between.
 */
export async function settle(move: Move): Promise<true> {
  const { source, target, context, store_id, to_shard } = move;
  const isStore = eq(placements.store_id, store_id);
  const [[old], [present], changes] = await Promise.all([
    source.select().from(placements).where(isStore),
    target.select().from(placements).where(isStore),
    source
      .select({ name: longChanges.name })
      .from(longChanges)
      .where(isNotNull(longChanges.finished_at)),
  ]);
  if (!old) throw new Error('The store has no row in its old shard.');
  let epoch = present?.epoch ?? 0;
  if (!present || present.state === PlacementState.gone) {
    epoch = Math.max(old.epoch, epoch) + 1;
    const { version, facts, works } = old;
    const { withdrawn_to: withdrawnTo } = move;
    const finished = changes.map(({ name }) => name);
    const placement = { epoch, version, facts, works, withdrawnTo, changes: finished };
    await target.batch(placementStatements(target, move, placement));
  }
  // The epoch only grows, so this does nothing if the store has moved on since.
  await openDatabase(context.env.DIRECTORY)
    .update(stores)
    .set({ shard: to_shard, epoch })
    .where(and(eq(stores.id, store_id), lt(stores.epoch, epoch)));
  await source.batch([
    requireState(move, OutgoingMoveState.switched),
    beginState(move, OutgoingMoveState.moved),
  ]);
  log('info', 'store_moved', {
    store: store_id,
    shard: context.shard,
    to_shard,
    rows: move.rows,
    digest: move.digest,
    refused_ms: context.now() - (move.fenced_at ?? context.now()),
  });
  return true;
}

/**
 * Deletes the old data of a store that has moved. Returns whether none remains. The row of
 * `placements` stays and forwards.
 */
export async function deleteOldData(move: Move): Promise<boolean> {
  const { source, store_id, context } = move;
  const isMoved = () => requireState(move, OutgoingMoveState.moved);
  if (!(await deleteRows(source, store_id, isMoved, context.hasTime, keptTables))) return false;
  await source.batch([
    isMoved(),
    source.delete(outgoingMoves).where(eq(outgoingMoves.store_id, store_id)),
  ]);
  return true;
}
