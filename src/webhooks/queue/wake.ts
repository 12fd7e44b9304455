import type { Doer } from '../../db/audit/doer.ts';
import { openDatabase } from '../../db/core/open.ts';
import { StoreDb } from '../../db/core/store-db.ts';
import type { Store } from '../../db/core/store.ts';
import { shardBinding } from '../../db/shards/shards.ts';
import { log } from '../../log.ts';
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
  try {
    await sendWakeups(env, shard, wakeups, 0);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    log('warn', 'webhook_wakeup_failed', {
      count: endpoints.length,
      message: message.slice(0, 300),
    });
  }
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
    ...(by && { by }),
    archive: env.ARCHIVE,
    wakeEndpoints: (...wakeup) => waitUntil(wakeEndpoints(env, store.shard, ...wakeup)),
  });
