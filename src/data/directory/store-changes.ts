import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm';
import type { Database } from '../core/open-database.ts';
import type { KnownStore } from '../core/store.ts';
import { storeChanges, stores } from '../schema/directory/directory-tables.ts';
import { storeColumns } from './stores.ts';

/** The most changes that are read at once. */
export const changeBatchSize = 200;

/** A change in the directory that a shard must receive. */
export interface StoreChange {
  id: number;
  /** The store as it is now. */
  store: KnownStore;
  /** A user who may have lost the store; `null` if the store changed. */
  userId: number | null;
  /** Grants of the user since then end, also for a member; `null` otherwise. */
  givenSince: number | null;
  /** The store was created and may not be in its shard yet. */
  isNew: boolean;
  /** The store was closed, and its data are erased then; `null` otherwise. */
  eraseAt: number | null;
  /** The alias that the store left, and when; `null` otherwise. */
  formerAlias: string | null;
  leftAt: number | null;
}

/**
 * Lists the changes that a shard has not received yet, oldest first; only those with an id above
 * `after`, if it is given. One round trip; reads no row if there is nothing.
 */
export const listStoreChanges = async (
  directory: Database,
  shard: number,
  after?: number,
): Promise<StoreChange[]> =>
  directory
    .select({
      id: storeChanges.id,
      store: storeColumns,
      userId: storeChanges.user_id,
      givenSince: storeChanges.given_since,
      isNew: storeChanges.is_new,
      eraseAt: storeChanges.erase_at,
      formerAlias: storeChanges.former_alias,
      leftAt: storeChanges.left_at,
    })
    .from(storeChanges)
    .innerJoin(stores, eq(stores.id, storeChanges.store_id))
    .where(
      and(
        eq(storeChanges.shard, shard),
        after === undefined ? undefined : gt(storeChanges.id, after),
      ),
    )
    .orderBy(asc(storeChanges.id))
    .limit(changeBatchSize);

/** Removes changes that a shard has received. One round trip. */
export async function deleteStoreChanges(
  directory: Database,
  shard: number,
  ids: readonly number[],
): Promise<void> {
  await directory
    .delete(storeChanges)
    .where(
      and(
        eq(storeChanges.shard, shard),
        inArray(storeChanges.id, sql`(select value from json_each(${JSON.stringify(ids)}))`),
      ),
    );
}
