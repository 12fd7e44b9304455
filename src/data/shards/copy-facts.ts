import { openDatabase, shardBinding } from '../core/open-database.ts';
import { findStoresById } from '../directory/stores.ts';
import { wakeNotices } from '../grants/app-notices.ts';
import { updateFactsStatements } from './placements.ts';

/**
 * Copies the facts of a store from the directory to its shard at once, such as that it is
 * deactivated. Then asks for the events of its apps. Never rejects: the sweep does the same within
 * a minute. One round trip to each database.
 */
export async function copyStoreFacts(env: Env, storeId: number, now = Date.now()): Promise<void> {
  try {
    const stores = await findStoresById(openDatabase(env.DIRECTORY), [storeId]);
    const [store] = stores;
    if (!store) return;
    const shard = openDatabase(shardBinding(env, store.shard));
    await shard.batch(updateFactsStatements(shard, stores, now));
    await wakeNotices(env, store.shard);
  } catch {
    // A database that does not respond, or a shard that is being restored.
  }
}
