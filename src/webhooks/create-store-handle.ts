import type { Doer } from '../data/audit/action.ts';
import { openDatabase, shardBinding } from '../data/core/open-database.ts';
import { StoreDb } from '../data/core/store-db.ts';
import type { Store } from '../data/core/store.ts';
import { wakeEndpoints } from './wake-endpoints.ts';

/**
 * Creates a handle on a store without API credentials: for timers, for reports of other services,
 * and for a merchant's pages. The caller has checked access to the store. `now` is epoch
 * milliseconds; `waitUntil` keeps the Worker alive until the wake-ups are sent.
 */
export const createStoreHandle = (
  env: Env,
  store: Store,
  { now, by, waitUntil }: { now: number; by?: Doer; waitUntil: (work: Promise<unknown>) => void },
) =>
  new StoreDb(store, openDatabase(shardBinding(env, store.shard)), {
    now,
    ...(by && { by: () => by }),
    archive: env.ARCHIVE,
    wakeEndpoints: (...wakeup) => waitUntil(wakeEndpoints(env, store.shard, ...wakeup)),
  });
