import { eq, type SQL } from 'drizzle-orm';
import { conflict, notFound } from '../base/errors.ts';
import type { ActionContext } from '../data/audit/action.ts';
import { stores } from '../data/schema/directory/directory-tables.ts';
import type { StoreRow } from './insert-store.ts';

/**
 * Returns a store that an action is about. Throws a 404, and a 409 for one whose data are erased.
 * One round trip.
 */
export async function requireStore(
  { directory }: ActionContext,
  storeId: number,
): Promise<StoreRow> {
  const [store] = await directory.select().from(stores).where(eq(stores.id, storeId));
  return assertUsable(store);
}

/** Throws the errors of {@link requireStore}. */
export function assertUsable(store: StoreRow | undefined): StoreRow {
  if (!store) throw notFound();
  if (store.erased_at !== null) throw conflict('store_erased');
  return store;
}

/** The statement that reads the store at the end of a batch. */
export const storeStatement = ({ directory }: ActionContext, storeId: number | SQL) =>
  directory.select().from(stores).where(eq(stores.id, storeId));
