import { findStores } from '../db/directory.ts';
import { dueRecords, postpone, setAside, type DueRecord } from '../db/due-records.ts';
import { openShard } from '../db/open.ts';
import { shardBindings } from '../db/shards.ts';
import type { Store, StoreDb } from '../db/store.ts';
import { storeHandle } from '../events/store-handle.ts';
import { log } from '../log.ts';
import { settleDueTransaction } from '../commerce/settle-due-transaction.ts';
import { settleDueCart } from '../commerce/settle-due-cart.ts';

/** How much one run takes up of each kind in one shard, and for how long it begins something; the rest waits a minute. */
const limit = 100;
const budgetMs = 20_000;

/** When something that failed is tried again, so that it does not stand in the way of the others. */
const retryMs = 5 * 60_000;

/** When a record is looked at again whose store the directory does not know. */
const lostMs = 24 * 60 * 60_000;

const settle = {
  cart: settleDueCart,
  transaction: (db: StoreDb, { id }: DueRecord) => settleDueTransaction(db, id),
} satisfies Record<DueRecord['kind'], (db: StoreDb, due: DueRecord) => Promise<unknown>>;

/**
 * What cron does each minute besides the sweep, in every shard: abandoned carts are reminded of, old ones expire, cards
 * are captured, unpaid orders cancelled. Each record is one batch of its own under a condition, so whoever runs at
 * the same time, or died half way, leaves nothing twice and nothing half done. Never rejects: what fails is logged
 * and tried again in five minutes.
 */
export async function runTimers(env: Env, now: () => number = Date.now): Promise<void> {
  const stopAt = now() + budgetMs;
  const shards = await Promise.all(
    [...shardBindings(env)].map(async ([shard, binding]) => ({
      shard,
      binding,
      due: await orElse([], shard, () => dueRecords(binding, now(), limit)),
    })),
  );
  const ids = [...new Set(shards.flatMap(({ due }) => due.map((one) => one.store_id)))];
  if (ids.length === 0) return;
  const found = await orElse(undefined, null, () => findStores(openShard(env.DIRECTORY), ids));
  if (!found) return;
  const stores = new Map(found.map((store) => [store.id, store]));
  const woken: Promise<unknown>[] = [];
  const waitUntil = (work: Promise<unknown>) => void woken.push(work);
  const handle = (store: Store) => storeHandle(env, store, { now: now(), waitUntil });
  await Promise.all(
    shards.map(async ({ shard, binding, due }) => {
      const lost = due.filter((one) => !stores.has(one.store_id));
      if (lost.length > 0)
        await orElse(undefined, shard, () => setAside(binding, lost, now() + lostMs));
      let settled = 0;
      for (const one of due) {
        const store = stores.get(one.store_id);
        if (!store || now() >= stopAt) continue;
        settled += (await settleOne(handle(store), one)) ? 1 : 0;
      }
      if (due.length > 0) log('info', 'timers_ran', { shard, due: due.length, settled });
    }),
  );
  await Promise.all(woken);
}

/** Does what is due of one record; answers whether that succeeded. */
async function settleOne(db: StoreDb, due: DueRecord): Promise<boolean> {
  const { kind, id } = due;
  try {
    await settle[kind](db, due);
    return true;
  } catch (error) {
    failed(db.store.shard, error, { kind, id, store: db.store.id });
    await orElse(undefined, db.store.shard, () => postpone(db, due, db.now + retryMs));
    return false;
  }
}

/** The answer of something that may fail; a failure is logged. */
async function orElse<T>(otherwise: T, shard: number | null, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    failed(shard, error);
    return otherwise;
  }
}

/** Drizzle puts the values of a statement into its message, so only the kind of an error is told. */
function failed(shard: number | null, error: unknown, of: object = {}) {
  const reason = error instanceof Error ? error.name : typeof error;
  log('error', 'timer_failed', { alert: true, shard, ...of, reason });
}
