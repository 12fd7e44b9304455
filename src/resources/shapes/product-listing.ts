import { associate } from '../../db/associations.ts';
import type { Link } from '../../db/links.ts';
import type { products } from '../../db/schema/store.ts';
import type { StoreDb } from '../../db/store.ts';
import { included, present } from './product-reading.ts';

/** What every list of products knows (contract 3.15). */
export const productLanguage = {
  sort: ['name', 'slug', 'sku', 'active', 'priority', 'rating'],
  search: { name: 'text', slug: 'text', sku: 'text', brand_id: 'id', active: 'bool' },
  includes: ['skus', 'brand', 'categories', 'images'],
} as const;

/** Products as they were read, as they are shown. */
export const shownProducts = (db: StoreDb, rows: readonly Parameters<typeof present>[1][]) =>
  rows.map((row) => present(db.store, row));

/** Links products with a record or parts them from it; answers with those that it has then. */
export async function associateProducts(
  db: StoreDb,
  link: Omit<Link, 'linked'> & { linked: typeof products },
  owner: number,
  change: { ids: number[]; field: string; remove: boolean },
) {
  const found = await associate(db, link, owner, { ...change, noun: 'product' });
  return found && shownProducts(db, found);
}

export { included as productRelations };
