import type { Shard } from '../db/open.ts';
import { StoreDb, type Store } from '../db/store.ts';

export const day = 86_400_000;

/** Nobody can have subscribed to a store that is being made, so there is no lane to wake. */
export const handle = (store: Store, shard: Shard, now: number) =>
  new StoreDb(store, shard, { now, wake: () => undefined });
