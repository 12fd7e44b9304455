import { included, present } from './product-reading.ts';
import type { StoreDb } from '../../db/store.ts';

/** What every list of products knows (contract 3.15). */
export const productLanguage = {
  sort: ['name', 'slug', 'sku', 'active', 'priority', 'rating'],
  search: { name: 'text', slug: 'text', sku: 'text', brand_id: 'id', active: 'bool' },
  includes: ['skus', 'brand', 'categories'],
} as const;

/** Products as they were read, as they are shown. */
export const shownProducts = (db: StoreDb, rows: readonly Parameters<typeof present>[1][]) =>
  rows.map((row) => present(db.store, row));

export { included as productRelations };
