import { openDatabase, hasShard, shardBinding } from '../core/open-database.ts';
import type { Store } from '../core/store.ts';
import { findForwarding } from './placements.ts';

/**
 * Returns the store with the shard that it went to, in case the directory does not say so yet. One round trip to the shard
 * that the directory names; only for requests that did not find the store.
 */
export async function followMove<S extends Store>(env: Env, store: S): Promise<S> {
  const shard = await findForwarding(openDatabase(shardBinding(env, store.shard)), store.id);
  return shard !== undefined && hasShard(env, shard) ? { ...store, shard } : store;
}
