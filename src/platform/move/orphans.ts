import { hasShard, shardBinding } from '../../db/shards/shards.ts';
import type { SweepContext } from '../../sweep-task.ts';
import { deleteRows, keptTables } from './clean.ts';
import { assertion, isArrivingSql, isLost } from './departure.ts';

/** A store that is being copied into a shard. */
interface Arrival {
  store_id: number;
  move_id: string;
}

/** Deletes the copies of a move that does not go on, while time remains. Returns whether none is left. */
export async function deleteArrival(
  target: D1Database,
  { store_id, move_id }: Arrival,
  hasTime: () => boolean,
): Promise<boolean> {
  // From here on no late chunk of a copy is accepted.
  const marked = await target
    .prepare(
      'update arrivals set position = -1 where store_id = ? and move_id = ? returning store_id',
    )
    .bind(store_id, move_id)
    .all();
  if (marked.results.length === 0) return true;
  const stayed = await target
    .prepare('select 1 as found from residents where store_id = ?')
    .bind(store_id)
    .first('found');
  const kept = stayed === null ? undefined : keptTables;
  const isWithdrawn = () => assertion(target, isArrivingSql, store_id, move_id, -1);
  if (!(await deleteRows(target, store_id, isWithdrawn, hasTime, kept))) return false;
  await target.batch([
    isWithdrawn(),
    target.prepare('delete from arrivals where store_id = ?').bind(store_id),
  ]);
  return true;
}

/**
 * Deletes arrivals whose move is over: a run that was late has announced a store again. Otherwise work on this shard would
 * rest, and the store could not come.
 */
export async function withdrawOrphans({ env, db, hasTime }: SweepContext): Promise<void> {
  const { results } = await db
    .prepare('select store_id, move_id, from_shard from arrivals')
    .all<Arrival & { from_shard: number }>();
  for (const arrival of results) {
    if (!hasTime() || !hasShard(env, arrival.from_shard)) continue;
    const departure = await shardBinding(env, arrival.from_shard)
      .prepare('select store_id from departures where store_id = ? and move_id = ?')
      .bind(arrival.store_id, arrival.move_id)
      .first();
    if (departure) continue;
    await deleteArrival(db, arrival, hasTime).catch((error: unknown) => {
      if (!isLost(error)) throw error;
    });
  }
}
