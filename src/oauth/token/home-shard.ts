import { StoreElsewhere } from '../../base/errors.ts';
import {
  openDatabase,
  type Database,
  hasShard,
  shardBinding,
} from '../../data/core/open-database.ts';
import { findForwardingOfGrant } from '../../data/grants/forwarding.ts';

/** Moves that a token follows. A store moves seldom, and a new token names its shard. */
const maxMoves = 8;

/**
 * Runs `work` in the shard of a grant: the one that a token names, or the one that the store has moved to since. `work` must
 * change nothing when it throws `StoreElsewhere`. Costs nothing more unless the store has moved.
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
