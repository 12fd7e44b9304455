import { and, eq, isNull, sql } from 'drizzle-orm';
import { slugify } from '../../base/codecs/fields/string-formats.ts';
import { defaultZone } from '../../base/codecs/fields/zone.ts';
import { randomBase64url } from '../../base/crypto/random.ts';
import { notFound } from '../../base/errors.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import type { Database } from '../../data/core/open-database.ts';
import { requestJob } from '../../data/directory/request-job.ts';
import { presentAlias, storeColumns } from '../../data/directory/stores.ts';
import { advanceClock, type ClockAdvance } from '../../data/queries/test-clock.ts';
import { wake } from '../../data/queues.ts';
import { stores } from '../../data/schema/directory/directory-tables.ts';
import { jobs } from '../../data/schema/directory/operators-tables.ts';
import { createStoreHandle } from '../../webhooks/create-store-handle.ts';
import { createStore } from '../create-store.ts';
import { eraseTestStore } from '../erase-store.ts';
import type { StoreRow } from '../insert-store.ts';

/** A test store as its owner sees it. */
export type ListedTestStore = Awaited<ReturnType<typeof listTestStores>>[number];

/** The latest work on the contents of a store. */
const lastFill = sql<(typeof jobs.$inferSelect)['state'] | null>`(
  select jobs.state from ${jobs} where jobs.store_id = stores.id and jobs.kind = 'test_store_fill'
  order by jobs.id desc limit 1)`;

/** The test stores of a user, oldest first, until their data are erased. One round trip. */
export const listTestStores = async (directory: Database, ownerId: number) =>
  directory
    .select({ ...storeColumns, name: stores.name, lastFill })
    .from(stores)
    .where(and(eq(stores.owner_id, ownerId), eq(stores.test, true), isNull(stores.erased_at)))
    .orderBy(stores.id)
    .limit(100);

/**
 * A test store of the user that works, by its alias or a former one. Throws a 404 for any other.
 * One round trip.
 */
export async function requireTestStore(
  { directory, actor, now }: ActionContext,
  alias: string,
): Promise<ListedTestStore> {
  const [store] = await directory
    .select({ ...storeColumns, name: stores.name, lastFill })
    .from(stores)
    .where(
      and(
        eq(stores.alias, presentAlias(alias, now)),
        eq(stores.owner_id, actor.userId ?? 0),
        eq(stores.test, true),
        eq(stores.active, true),
      ),
    );
  if (!store) throw notFound();
  return store;
}

/**
 * Creates a test store of the user, and starts the job that fills it. Its alias begins with
 * `test-`, so that no test takes the name of a merchant. Throws `TooManyTestStores`; of parallel
 * requests, as many succeed as the limit allows.
 */
export async function createPartnerTestStore(
  action: ActionContext,
  name: string,
): Promise<StoreRow> {
  const base = slugify(name).slice(0, 40).replaceAll(/-+/g, '-').replaceAll(/^-|-$/g, '');
  const suffix = randomBase64url(9)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .slice(0, 6);
  const alias = ['test', base, suffix].filter(Boolean).join('-');
  const ownerId = action.actor.userId ?? 0;
  const wanted = { alias, name, timezone: defaultZone, ownerId, isTest: true };
  const { store } = await createStore(action, wanted);
  await requestJob(action, { kind: 'test_store_fill', storeId: store.id });
  return store;
}

/** Starts the job that empties and fills a test store again, unless such a job is under way. */
export const resetTestStore = (action: ActionContext, { id }: Pick<ListedTestStore, 'id'>) =>
  requestJob(action, { kind: 'test_store_fill', storeId: id });

/** Ends a test store at once; its data are erased as soon as no isolate works with it any more. */
export async function deleteTestStore(
  action: ActionContext,
  { id }: Pick<ListedTestStore, 'id'>,
): Promise<void> {
  await eraseTestStore(action, { storeId: id, reason: 'test_store_deleted' });
}

/** Advances the clock of a test store, as the operation `advanceTestClock` does. */
export async function advanceTestStore(
  { env, actor, from, now, defer }: ActionContext,
  store: ListedTestStore,
  seconds: number,
): Promise<ClockAdvance> {
  const handle = createStoreHandle(env, store, { now, by: { actor, from }, waitUntil: defer });
  const advance = await advanceClock(handle, seconds);
  defer(wake(env, 'sweep', { v: 1, shard: store.shard, round: 0 }));
  return advance;
}
