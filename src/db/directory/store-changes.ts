import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { withDbErrors } from '../core/errors.ts';
import type { Database } from '../core/open.ts';
import type { KnownStore } from '../core/store.ts';
import { storeChanges, stores } from '../schema/directory.ts';
import { storeColumns } from './stores.ts';

/** The most changes that are read at once. */
export const changeBatchSize = 200;

/** Something of the directory that a shard must hear. */
interface StoreChange {
  id: number;
  /** The store as it is now. */
  store: KnownStore;
  /** A user who may have lost the store; `null` if the store changed. */
  userId: number | null;
  /** The store was made and may not be in its shard yet. */
  isNew: boolean;
  /** The store was closed, and its data are erased then; `null` otherwise. */
  eraseAt: number | null;
}

/** Lists what a shard has not heard yet, oldest first. One round trip; reads no row if there is nothing. */
export const listStoreChanges = (directory: Database, shard: number): Promise<StoreChange[]> =>
  withDbErrors(
    directory
      .select({
        id: storeChanges.id,
        store: storeColumns,
        userId: storeChanges.user_id,
        isNew: storeChanges.is_new,
        eraseAt: storeChanges.erase_at,
      })
      .from(storeChanges)
      .innerJoin(stores, eq(stores.id, storeChanges.store_id))
      .where(eq(storeChanges.shard, shard))
      .orderBy(asc(storeChanges.id))
      .limit(changeBatchSize),
  );

/** Removes changes that a shard has heard. One round trip. */
export async function deleteStoreChanges(
  directory: Database,
  shard: number,
  ids: readonly number[],
): Promise<void> {
  await withDbErrors(
    directory
      .delete(storeChanges)
      .where(
        and(
          eq(storeChanges.shard, shard),
          inArray(storeChanges.id, sql`(select value from json_each(${JSON.stringify(ids)}))`),
        ),
      ),
  );
}
