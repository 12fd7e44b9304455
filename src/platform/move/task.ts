import { DepartureState } from '../../db/schema/store/moves.ts';
import { hasShard, shardBinding } from '../../db/shards/shards.ts';
import type { SweepContext } from '../../sweep-task.ts';
import { confirmResidents } from './confirm.ts';
import { isCopiedSql, isLost, type Departure } from './departure.ts';
import { withdrawOrphans } from './orphans.ts';
import { makeStep } from './steps.ts';

/** A run that did so much has left some; another round of the sweep follows at once. */
export const moveLimit = 1;

/**
 * Continues the moves of the stores that leave this shard, and deletes the old data of those that left it a month ago.
 * Returns 1 if more can be done at once. Each step is a transaction that requires the state that it found, so runs at
 * the same time, and runs that were interrupted, do nothing twice.
 */
export async function continueMoves(context: SweepContext): Promise<number> {
  const { db } = context;
  const [restored, found, arriving] = await db.batch<{ store_id: number }>([
    db.prepare('select id from shard_identity where unconfirmed = 1'),
    db.prepare('select store_id from departures order by started_at, store_id'),
    db.prepare('select store_id from arrivals'),
  ]);
  if (restored?.results.length) await confirmResidents(context);
  if (arriving?.results.length) await withdrawOrphans(context);
  let isUnfinished = false;
  for (const { store_id } of found?.results ?? []) {
    isUnfinished = (await continueMove(context, store_id)) || isUnfinished;
  }
  return isUnfinished ? moveLimit : 0;
}

/** Makes steps while time remains. Returns whether time ended the work. */
async function continueMove(context: SweepContext, storeId: number): Promise<boolean> {
  const { env, db: source, hasTime } = context;
  while (hasTime()) {
    const departure = await source
      .prepare('select * from departures where store_id = ?')
      .bind(storeId)
      .first<Departure>();
    if (!departure || !hasShard(env, departure.to_shard)) return false;
    const target = shardBinding(env, departure.to_shard);
    try {
      const progress = await makeStep({ ...departure, context, source, target });
      if (progress === 'wait') break;
    } catch (error) {
      if (!isLost(error)) throw error;
      return false;
    }
  }
  return !hasTime();
}

/**
 * Whether a store is being copied out of or into this shard. Work that deletes or rewrites rows of many stores rests
 * meanwhile. One round trip.
 */
export async function hasMoves(db: D1Database): Promise<boolean> {
  const found = await db
    .prepare(
      `select exists (select 1 from arrivals)
        or exists (select 1 from departures where state = ${DepartureState.announced} or ${isCopiedSql}) as found`,
    )
    .first<number>('found');
  return found === 1;
}
