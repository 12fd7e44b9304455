import { and, count, eq, ne, or, sql, type SQL } from 'drizzle-orm';
import { hourMs, pause } from '../../base/durations.ts';
import {
  type Database,
  openDatabase,
  hasShard,
  shardBinding,
} from '../../data/core/open-database.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import { acquire, beginSharable, leases } from '../../data/queues.ts';
import {
  incomingMoves,
  outgoingMoves,
  OutgoingMoveState,
} from '../../data/schema/store/moves-tables.ts';
import { isHere, placements, PlacementState } from '../../data/schema/store/placement-tables.ts';
import { withdrawalProgress } from '../../data/schema/store/upkeep-tables.ts';
import {
  DeliveryState,
  movingLease,
  webhookEndpoints,
} from '../../data/schema/store/webhooks-tables.ts';
import { deleteRows, keptTables } from '../../data/shards/clean-store.ts';
import { raiseCounters, readCounters, takeBlock } from '../../data/shards/id-blocks.ts';
import type { SweepContext } from '../../data/sweep-task.ts';
import { isClaimedSql } from '../../webhooks/events/fan-out.ts';
import { feedOfShard, findPlace, load } from '../pump/load.ts';
import { abort, deleteCopies } from './abort-move.ts';
import { compareRows } from './compare-rows.ts';
import {
  beginState,
  findOutgoingMove,
  isIncoming,
  isLost,
  requireState,
  requireThat,
  type OutgoingMove,
  type Move,
  type MoveName,
} from './outgoing-move.ts';
import { deleteOldData, settle } from './settle.ts';

/**
 * A store that could not be copied within this time stays, so that its changes are not refused for
 * longer.
 */
const maxFencedMs = hourMs;

/**
 * Announces a store in its new shard, and deletes the rows of an earlier placement there. Returns
 * whether none remains. Aborts (`isLost`) if the store is there, or on its way there under another
 * name. `isEmpty`: a count found no row to delete.
 */
export async function announceIn(
  target: Database,
  name: MoveName & { from_shard: number },
  hasTime: () => boolean,
  isEmpty = false,
): Promise<boolean> {
  const { store_id, move_id } = name;
  await target.batch([
    requireThat(
      target,
      sql`not exists (select 1 from ${placements}
          where store_id = ${store_id} and state <> ${PlacementState.gone})
        and not exists (select 1 from ${incomingMoves}
          where store_id = ${store_id} and move_id <> ${move_id})
        and not exists (select 1 from ${outgoingMoves}
          where store_id = ${store_id} and state <> ${OutgoingMoveState.moved})`,
    ),
    target.insert(incomingMoves).values(name).onConflictDoNothing(),
    // The rows of an earlier placement are deleted now, not later.
    target.delete(outgoingMoves).where(eq(outgoingMoves.store_id, store_id)),
  ]);
  const isFirst = () => requireThat(target, isIncoming(name, -1));
  if ((await findPlace(target, name))?.position !== -1) return true;
  const isCleared = isEmpty || (await deleteRows(target, store_id, isFirst, hasTime, keptTables));
  if (!isCleared) return false;
  await target.batch([
    isFirst(),
    target.update(incomingMoves).set({ position: 0 }).where(eq(incomingMoves.store_id, store_id)),
  ]);
  return true;
}

/**
 * Announces the store in its new shard, and deletes the rows of an earlier placement there. From
 * then on no work on a whole shard writes in either of them (`atRest`). Then fences the store: in
 * one transaction its changes are refused from now on.
 */
async function announce(move: Move): Promise<boolean> {
  const { source, target, context, store_id, move_id, to_shard } = move;
  const name = { store_id, move_id, from_shard: context.shard };
  if (!(await announceIn(target, name, context.hasTime))) return false;
  await source.batch([
    requireState(move, OutgoingMoveState.announced),
    requireThat(source, isHere(store_id)),
    source
      .update(placements)
      .set({ state: PlacementState.leaving, to_shard })
      .where(eq(placements.store_id, store_id)),
    source
      .update(outgoingMoves)
      .set({
        fenced_at: context.now(),
        withdrawn_to: sql`coalesce((select done_to from ${withdrawalProgress} where id = 1), 0)`,
      })
      .where(eq(outgoingMoves.store_id, store_id)),
    beginState(move, OutgoingMoveState.fenced),
  ]);
  return true;
}

/**
 * Takes the leases of all webhooks, each as soon as its worker has ended, and waits for requests
 * that send. The lease itself requires that the store is here (`webhooks/delivery/acquire.ts`), so
 * no other worker begins.
 */
async function takeLeases(move: Move): Promise<boolean> {
  const { source, store_id, context } = move;
  const hasClaims = sql`exists (select 1 from webhook_deliveries where webhook_deliveries.endpoint_id = ${webhookEndpoints.id}
    and webhook_deliveries.state = ${sql.raw(String(DeliveryState.open))} and ${isClaimedSql(sql`${context.now()}`)})`;
  const [, , [busy]] = await source.batch([
    requireState(move, OutgoingMoveState.fenced),
    rawDatabaseStatement(
      source,
      acquire(leases.endpoints, {
        now: context.now(),
        end: movingLease,
        areAllDue: true,
        where: sql`store_id = ${store_id}`,
        set: beginSharable(0),
      }),
    ),
    source
      .select({ count: count() })
      .from(webhookEndpoints)
      .where(
        and(
          eq(webhookEndpoints.store_id, store_id),
          // Behind the fence no request claims another delivery.
          or(ne(webhookEndpoints.lease_until, movingLease), hasClaims),
        ),
      ),
  ]);
  if ((busy?.count ?? 0) > 0) {
    if (!context.hasTime()) return false;
    await pause(leasePollMs);
    return true;
  }
  if (!(await makeRoomForIds(move))) {
    await abort(move, 'no block of ids is left');
    return true;
  }
  await source.batch([
    requireState(move, OutgoingMoveState.fenced),
    beginState(move, OutgoingMoveState.copying),
  ]);
  return true;
}

/**
 * Reserves ids in the new shard. AUTOINCREMENT counts on from the greatest id of a table. So ids
 * from a shard that is ahead would make the new shard give out ids of that one. It then takes a
 * block behind all of them, before the first row comes. Returns `false` if there is none. The store
 * is fenced, so it gets no further id in its old shard.
 */
async function makeRoomForIds(move: Move) {
  const { source, target, context, to_shard } = move;
  const directory = openDatabase(context.env.DIRECTORY);
  const old = await readCounters(source);
  return raiseAbove(directory, target, { old, shard: to_shard, guard: isIncoming(move, 0) });
}

/**
 * Makes a shard count its ids on from a block behind all others, if ids that are ahead of its own
 * will come. Returns `false` if there is no block. `isBehind`: it must have one, whatever comes.
 */
export async function raiseAbove(
  directory: Database,
  target: Database,
  {
    old,
    shard,
    guard,
    isBehind = () => false,
  }: {
    old: ReadonlyMap<string, number>;
    shard: number;
    guard: SQL;
    isBehind?: (present: ReadonlyMap<string, number>) => boolean;
  },
): Promise<boolean> {
  const present = await readCounters(target);
  const isAhead = [...old].some(([table, last]) => last > (present.get(table) ?? 0));
  if (!isAhead && !isBehind(present)) return true;
  const last = await takeBlock(directory, shard);
  if (last === undefined) return false;
  await target.batch([requireThat(target, guard), ...raiseCounters(target, last)]);
  return true;
}

const leasePollMs = 250;

async function copy(move: Move): Promise<boolean> {
  const { source, target, store_id, context } = move;
  const { isComplete } = await load(target, move, feedOfShard(source, store_id), context.hasTime);
  if (!isComplete) return false;
  await source.batch([
    requireState(move, OutgoingMoveState.copying),
    beginState(move, OutgoingMoveState.verifying),
  ]);
  return true;
}

/**
 * Compares all data, then ends the placement of the store here. From then on the move cannot be
 * aborted.
 */
async function verify(move: Move): Promise<boolean> {
  const { source, store_id } = move;
  const { isComplete, difference, rows, digest } = await compareRows(move);
  if (difference !== undefined) {
    await abort(move, `${difference} differs`);
    return true;
  }
  if (!isComplete) return false;
  await source.batch([
    requireState(move, OutgoingMoveState.verifying),
    source
      .update(placements)
      .set({ state: PlacementState.gone })
      .where(eq(placements.store_id, store_id)),
    source.update(outgoingMoves).set({ rows, digest }).where(eq(outgoingMoves.store_id, store_id)),
    beginState(move, OutgoingMoveState.switched),
  ]);
  return true;
}

/** By the state that the step ends. Each returns whether it ended it; else time did. */
const steps: Readonly<Record<number, (move: Move) => Promise<boolean>>> = {
  [OutgoingMoveState.announced]: announce,
  [OutgoingMoveState.fenced]: takeLeases,
  [OutgoingMoveState.copying]: copy,
  [OutgoingMoveState.verifying]: verify,
  [OutgoingMoveState.switched]: settle,
  [OutgoingMoveState.moved]: deleteOldData,
  [OutgoingMoveState.aborting]: deleteCopies,
};

/**
 * Makes one step of a move. A move that refuses changes of its store for too long is aborted first.
 * Returns `false` if time ended before the step did, or if another run has taken the move further.
 */
export async function makeStep(
  context: SweepContext,
  outgoingMove: OutgoingMove,
): Promise<boolean> {
  const { state, fenced_at, to_shard } = outgoingMove;
  if (!hasShard(context.env, to_shard)) return false;
  const source = openDatabase(context.db);
  const target = openDatabase(shardBinding(context.env, to_shard));
  const move: Move = { ...outgoingMove, context, source, target };
  const isTooLate = fenced_at !== null && context.now() > fenced_at + maxFencedMs;
  try {
    if (isTooLate && state <= OutgoingMoveState.verifying) {
      await abort(move, 'too slow');
      return true;
    }
    const step = steps[state];
    if (!step) throw new Error(`no step for state ${state}`);
    return await step(move);
  } catch (error) {
    if (isLost(error)) return false;
    throw error;
  }
}

/**
 * Advances a move as far as time allows, from its current state. Calls `onState` with each state
 * that it meets. Returns the outgoing move that remains; `undefined` if there is none of this name,
 * as after an abort.
 */
export async function advanceMove(
  context: SweepContext,
  { store_id: storeId, move_id: moveId }: MoveName,
  onState?: (outgoingMove: OutgoingMove) => Promise<void>,
): Promise<OutgoingMove | undefined> {
  for (;;) {
    const outgoingMove = await findOutgoingMove(openDatabase(context.db), storeId);
    if (outgoingMove?.move_id !== moveId) return undefined;
    await onState?.(outgoingMove);
    if (outgoingMove.state === OutgoingMoveState.moved || !context.hasTime()) return outgoingMove;
    if (!(await makeStep(context, outgoingMove))) return outgoingMove;
  }
}
