import { openDatabase } from '../db/core/open.ts';
import { findStoresById } from '../db/directory/stores.ts';
import { shardBinding } from '../db/shards/shards.ts';
import type { JobOutcome, JobRun } from '../jobs/job.ts';
import { emptyStore } from './empty.ts';
import { testCatalog, testCustomers } from './fill/contents.ts';
import { fillCatalog } from './fill/fill-catalog.ts';
import { fillCustomers } from './fill/fill-customers.ts';
import { fillPayments } from './fill/fill-payments.ts';
import { createSeedDb } from './fill/insert-missing.ts';

/**
 * Empties a test store and fills it with the test catalogue, by the same commands as the API. A turn that was cut off is
 * continued by the next one: it does not empty again what was filled, and inserts only what is missing.
 */
export async function runRebuild({ env, job, now, hasTime, save }: JobRun): Promise<JobOutcome> {
  const [store] = await findStoresById(openDatabase(env.DIRECTORY), [job.store_id ?? 0]);
  if (!store?.test) return { state: 'failed', error: 'no_test_store' };
  if (!store.active) return { state: 'failed', error: 'store_inactive' };
  const binding = shardBinding(env, store.shard);
  if (job.progress['isEmpty'] !== true) {
    if (!(await emptyStore(binding, store.id, hasTime))) return { state: 'waits', dueAt: now() };
    await save({ progress: { isEmpty: true } });
  }
  const database = openDatabase(binding);
  const at = now();
  await fillPayments(createSeedDb(store, database, at));
  await fillCatalog(store, database, testCatalog, at);
  await fillCustomers(store, database, testCustomers, at);
  const counts = { products: testCatalog.products.length, customers: testCustomers.length };
  return { state: 'done', result: { counts } };
}
