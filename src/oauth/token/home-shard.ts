import { sql } from 'drizzle-orm';
import { StoreElsewhere } from '../../base/errors.ts';
import {
  type Database,
  hasShard,
  openDatabase,
  shardBinding,
} from '../../data/core/open-database.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import { oauthGrants } from '../../data/schema/store/grants-tables.ts';
import { placements, PlacementState } from '../../data/schema/store/placement-tables.ts';

/** Moves that a token follows. A store moves seldom, and a new token names its shard. */
const maxMoves = 8;

/**
 * Runs `work` in the shard of a grant: the one that a token names, or the one that the store has
 * moved to since. `work` must change nothing when it throws `StoreElsewhere`. Costs nothing more
 * unless the store has moved.
 */
export async function inShardOfGrant<T>(
  env: Env,
  named: number,
  grantId: string,
  work: (database: Database, shard: number) => Promise<T>,
): Promise<T> {
  let shard = named;
  for (let moves = 0; ; moves += 1) {
    const database = openDatabase(shardBinding(env, shard));
    try {
      return await work(database, shard);
    } catch (error) {
      if (!(error instanceof StoreElsewhere)) throw error;
      const next = await findForwardingOfGrant(database, grantId);
      if (next === undefined || !hasShard(env, next) || moves === maxMoves) throw error;
      shard = next;
    }
  }
}

/**
 * Finds the shard that the store of a grant went to from this one; `undefined` if it did not leave.
 * Grants stay in the old shard as long as a token may name it. One round trip.
 */
async function findForwardingOfGrant(
  shard: Database,
  grantId: string,
): Promise<number | undefined> {
  const [rows] = await shard.batch([
    rawDatabaseStatement<{ to_shard: number }>(
      shard,
      sql`select to_shard from ${placements} where state = ${PlacementState.gone}
          and store_id = (select store_id from ${oauthGrants} where id = ${grantId})`,
    ),
  ]);
  return rows[0]?.to_shard;
}
