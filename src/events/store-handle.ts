import { openShard } from '../db/open.ts';
import { shardBinding } from '../db/shards.ts';
import { StoreDb, type Store } from '../db/store.ts';
import { wake } from './wake.ts';

/**
 * A handle on one store that no credentials of the API have opened: for what the platform does by itself (timers,
 * reports of its other services), and for a merchant on a page. Whoever calls it has made sure of the store. `now`
 * is epoch milliseconds; `waitUntil` keeps the Worker alive until the receivers were woken.
 */
export const storeHandle = (
  env: Env,
  store: Store,
  { now, waitUntil }: { now: number; waitUntil: (work: Promise<unknown>) => void },
) =>
  new StoreDb(store, openShard(shardBinding(env, store.shard)), {
    now,
    wake: (...woken) => waitUntil(wake(env, store.shard, ...woken)),
  });
