import type { Doer } from '../../data/audit/doer.ts';
import { openDatabase, shardBinding } from '../../data/core/open-database.ts';
import { StoreDb } from '../../data/core/store-db.ts';
import type { Store } from '../../data/core/store.ts';
import { sendOrLog } from '../../data/queues/wake.ts';
import { sendWakeups } from './message.ts';

/**
 * Sends wake-ups for endpoints that have something to deliver, after the commit that made it due. Never rejects: without
 * the wake-up, the sweep finds the endpoint within a minute.
 */
export async function wakeEndpoints(
  env: Env,
  shard: number,
  endpoints: readonly number[],
  isSlow = false,
): Promise<void> {
  const wakeups = endpoints.map((endpoint) => ({ endpoint, nextAttemptAt: 0, isSlow }));
  await sendOrLog(
    isSlow ? 'webhook-slow' : 'webhook-fast',
    endpoints.length,
    sendWakeups(env, shard, wakeups, 0),
  );
}

/**
 * Creates a handle on a store without API credentials: for timers, for reports of other services, and for a merchant's
 * pages. The caller has checked access to the store. `now` is epoch milliseconds; `waitUntil` keeps the Worker alive
 * until the wake-ups are sent.
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
