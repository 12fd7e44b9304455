import { and, eq, isNull, sql } from 'drizzle-orm';
import { slugify } from '../../codecs/fields/string-formats.ts';
import { defaultZone } from '../../codecs/time/zone.ts';
import { randomBase64url } from '../../crypto/random.ts';
import { withDbErrors } from '../../db/core/errors.ts';
import type { Database } from '../../db/core/open.ts';
import { storeColumns } from '../../db/directory/stores.ts';
import { stores } from '../../db/schema/directory.ts';
import { jobs } from '../../db/schema/operators.ts';
import { copyStoreFacts } from '../../db/shards/copy-facts.ts';
import { notFound } from '../../errors.ts';
import { requestJob } from '../../jobs/request.ts';
import { wakeSweep } from '../../sweep-wake.ts';
import { advanceClock, type ClockAdvance } from '../../test-stores/clock.ts';
import { createStoreHandle } from '../../webhooks/queue/wake.ts';
import type { DeedContext } from '../deed.ts';
import { createStore } from '../stores/create-store.ts';
import type { StoreRow } from '../stores/insert-store.ts';

/** A test store as its owner sees it. */
export type TestStore = Awaited<ReturnType<typeof listTestStores>>[number];

/** The latest work on the contents of a store. */
const lastFill = sql<(typeof jobs.$inferSelect)['state'] | null>`(
  select j.state from ${jobs} j where j.store_id = stores.id and j.kind = 'test_store_fill'
  order by j.id desc limit 1)`;

/** The test stores of a user, oldest first, until their data are erased. One round trip. */
export const listTestStores = (directory: Database, ownerId: number) =>
  withDbErrors(
    directory
      .select({ ...storeColumns, name: stores.name, lastFill })
      .from(stores)
      .where(and(eq(stores.owner_id, ownerId), eq(stores.test, true), isNull(stores.erased_at)))
      .orderBy(stores.id)
      .limit(100),
  );

/** A test store of the user that works, by its alias. Throws a 404 for any other. One round trip. */
export async function requireTestStore(
  { directory, actor }: DeedContext,
  alias: string,
): Promise<TestStore> {
  const [store] = await withDbErrors(
    directory
      .select({ ...storeColumns, name: stores.name, lastFill })
      .from(stores)
      .where(
        and(
          eq(stores.alias, alias),
          eq(stores.owner_id, actor.userId ?? 0),
          eq(stores.test, true),
          eq(stores.active, true),
        ),
      ),
  );
  if (!store) throw notFound();
  return store;
}

/**
 * Makes a test store of the user, and has it filled. Its alias begins with `test-`, so that no test takes the name of a
 * merchant. Throws `TooManyTestStores`; of parallel requests, as many succeed as the limit allows.
 */
export async function createTestStore(deed: DeedContext, name: string): Promise<StoreRow> {
  const base = slugify(name).slice(0, 40).replaceAll(/-+/g, '-').replaceAll(/^-|-$/g, '');
  const suffix = randomBase64url(9)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .slice(0, 6);
  const alias = ['test', base, suffix].filter(Boolean).join('-');
  const ownerId = deed.actor.userId ?? 0;
  const wanted = { alias, name, timezone: defaultZone, ownerId, isTest: true };
  const { store } = await createStore(deed, wanted);
  await requestJob(deed, { kind: 'test_store_fill', storeId: store.id });
  return store;
}

/** Has a test store emptied and filled again. What is under way already is not begun twice. */
export const resetTestStore = (deed: DeedContext, { id }: Pick<TestStore, 'id'>) =>
  requestJob(deed, { kind: 'test_store_fill', storeId: id });

/** Ends a test store at once; its data are erased as soon as no isolate works with it any more. */
export async function deleteTestStore(
  deed: DeedContext,
  { id }: Pick<TestStore, 'id'>,
): Promise<void> {
  await requestJob(deed, { kind: 'store_erasure', storeId: id, reason: 'test_store_deleted' });
  deed.defer(copyStoreFacts(deed.env, id));
}

/** Advances the clock of a test store, as the operation `advanceTestClock` does. */
export async function advanceTestStore(
  { env, actor, from, now, defer }: DeedContext,
  store: TestStore,
  seconds: number,
): Promise<ClockAdvance> {
  const handle = createStoreHandle(env, store, { now, by: { actor, from }, waitUntil: defer });
  const advance = await advanceClock(handle, seconds);
  defer(wakeSweep(env, store.shard));
  return advance;
}
