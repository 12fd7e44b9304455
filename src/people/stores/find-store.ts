import { eq, type SQL } from 'drizzle-orm';
import { withDbErrors } from '../../db/core/errors.ts';
import { stores } from '../../db/schema/directory.ts';
import { conflict, notFound } from '../../errors.ts';
import type { DeedContext } from '../deed.ts';
import type { StoreRow } from './insert-store.ts';

/** Returns a store that a deed is about. Throws a 404, and a 409 for one whose data are erased. One round trip. */
export async function requireStore({ directory }: DeedContext, storeId: number): Promise<StoreRow> {
  const [store] = await withDbErrors(directory.select().from(stores).where(eq(stores.id, storeId)));
  return assertUsable(store);
}

/** Throws what {@link requireStore} does. */
export function assertUsable(store: StoreRow | undefined): StoreRow {
  if (!store) throw notFound();
  if (store.erased_at !== null) throw conflict('store_erased');
  return store;
}

/** The statement that reads the store at the end of a batch. */
export const storeStatement = ({ directory }: DeedContext, storeId: number | SQL) =>
  directory.select().from(stores).where(eq(stores.id, storeId));
