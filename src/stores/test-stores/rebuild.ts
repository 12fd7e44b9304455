import { openDatabase, shardBinding } from '../../data/core/open-database.ts';
import type { JobOutcome, JobRun } from '../../data/directory/job.ts';
import { findStoresById } from '../../data/directory/stores.ts';
import { testCatalog, testCustomers } from './contents.ts';
import { emptyStore } from './empty.ts';
import { fillCatalog } from './fill-catalog.ts';
import { fillCustomers } from './fill-customers.ts';
import { fillPayments } from './fill-payments.ts';
import { createSeedDb } from './insert-missing.ts';

/**
 * Empties a test store and fills it with the test catalogue, by the same commands as the API. The
 * next step continues an interrupted one: it keeps the rows that were filled, and inserts only
 * those that are missing.
 */
export async function runRebuild({ env, job, now, hasTime, save }: JobRun): Promise<JobOutcome> {
  const [store] = await findStoresById(openDatabase(env.DIRECTORY), [job.store_id ?? 0]);
  if (!store?.test) return { state: 'failed', error: 'no_test_store' };
  if (!store.active) return { state: 'failed', error: 'store_inactive' };
  const database = openDatabase(shardBinding(env, store.shard));
  if (job.progress['isEmpty'] !== true) {
    if (!(await emptyStore(database, store.id, hasTime))) return { state: 'waits', dueAt: now() };
    await save({ progress: { isEmpty: true } });
  }
  const at = now();
  await fillPayments(createSeedDb(store, database, at));
  await fillCatalog(store, database, testCatalog, at);
  await fillCustomers(store, database, testCustomers, at);
  const counts = { products: testCatalog.products.length, customers: testCustomers.length };
  return { state: 'done', result: { counts } };
}
