import { processDueCart } from '../commerce/carts/reminders.ts';
import { processDueTransaction } from '../commerce/transactions/commands.ts';
import {
  findDueRecords,
  postponeDueRecord,
  postponeOrphanedRecords,
  type DueRecord,
} from '../db/checkout/due-records.ts';
import { openDatabase } from '../db/core/open.ts';
import { shardBindings } from '../db/core/shards.ts';
import type { StoreDb } from '../db/core/store-db.ts';
import type { Store } from '../db/core/store.ts';
import { findStoresById } from '../db/directory/stores.ts';
import { log } from '../log.ts';
import { createStoreHandle } from '../webhooks/queue/wake.ts';

/** Limits of one run: records of each kind in each shard, and the time in which it starts new work. The rest waits. */
const recordsPerKind = 100;
const timeBudgetMs = 20_000;

/** Delay after a failure, so that a failing record does not block the others. */
const retryMs = 5 * 60_000;

/** Delay of a record whose store is not in the directory. */
const orphanRetryMs = 24 * 60 * 60_000;

const dueHandlers = {
  cart: processDueCart,
  transaction: (db: StoreDb, { id }: DueRecord) => processDueTransaction(db, id),
} satisfies Record<DueRecord['kind'], (db: StoreDb, due: DueRecord) => Promise<unknown>>;

/**
 * Processes due records in every shard: sends cart reminders, expires carts, captures cards and cancels unpaid orders.
 * Each record is one conditional batch, so concurrent or interrupted runs do nothing twice and leave nothing half done.
 * Never rejects: failures are logged and retried after five minutes.
 */
export async function runTimers(env: Env, now: () => number = Date.now): Promise<void> {
  const stopAt = now() + timeBudgetMs;
  const shards = await Promise.all(
    [...shardBindings(env)].map(async ([shard, binding]) => ({
      shard,
      binding,
      due: await withFallback([], shard, () => findDueRecords(binding, now(), recordsPerKind)),
    })),
  );
  const storeIds = [...new Set(shards.flatMap(({ due }) => due.map(({ store_id }) => store_id)))];
  if (storeIds.length === 0) return;
  const found = await withFallback(undefined, null, () =>
    findStoresById(openDatabase(env.DIRECTORY), storeIds),
  );
  if (!found) return;
  const stores = new Map(found.map((store) => [store.id, store]));
  const background: Promise<unknown>[] = [];
  const waitUntil = (work: Promise<unknown>) => void background.push(work);
  const openStore = (store: Store) => createStoreHandle(env, store, { now: now(), waitUntil });
  await Promise.all(
    shards.map(async ({ shard, binding, due }) => {
      const orphans = due.filter(({ store_id }) => !stores.has(store_id));
      if (orphans.length > 0)
        await withFallback(undefined, shard, () =>
          postponeOrphanedRecords(binding, orphans, now() + orphanRetryMs),
        );
      let processed = 0;
      for (const record of due) {
        const store = stores.get(record.store_id);
        if (!store || now() >= stopAt) continue;
        processed += (await processDueRecord(openStore(store), record)) ? 1 : 0;
      }
      if (due.length > 0) log('info', 'timers_ran', { shard, due: due.length, processed });
    }),
  );
  await Promise.all(background);
}

/** Processes one record. Returns whether that succeeded. */
async function processDueRecord(db: StoreDb, record: DueRecord): Promise<boolean> {
  const { kind, id } = record;
  try {
    await dueHandlers[kind](db, record);
    return true;
  } catch (error) {
    logFailure(db.store.shard, error, { kind, id, store: db.store.id });
    await withFallback(undefined, db.store.shard, () =>
      postponeDueRecord(db, record, db.now + retryMs),
    );
    return false;
  }
}

/** Runs `work`; logs a failure and returns `fallback` instead. */
async function withFallback<T>(
  fallback: T,
  shard: number | null,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    logFailure(shard, error);
    return fallback;
  }
}

/** Logs only the class of an error: Drizzle's messages contain the values of a statement. */
function logFailure(shard: number | null, error: unknown, details: object = {}) {
  const reason = error instanceof Error ? error.name : typeof error;
  log('error', 'timer_failed', { alert: true, shard, ...details, reason });
}
