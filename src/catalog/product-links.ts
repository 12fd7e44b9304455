import type { StoreDb } from '../data/core/store-db.ts';
import { updateLinks, type Link } from '../data/queries/links.ts';
import type { products } from '../data/schema/store/catalog-tables.ts';
import { serializeProducts } from './products/schema.ts';

/**
 * Adds products to a category or collection, or removes them, and returns its products after the
 * change. `undefined` when the store has no such category or collection. Throws 404 for an unknown
 * product. Two round trips.
 */
export async function associateProducts(
  db: StoreDb,
  link: Omit<Link, 'linked'> & { linked: typeof products },
  ownerId: number,
  change: { ids: number[]; field: string; remove: boolean },
) {
  const found = await updateLinks(db, link, ownerId, { ...change, noun: 'product' });
  return found && serializeProducts(db, found);
}
