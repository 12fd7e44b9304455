import { eq } from 'drizzle-orm';
import { chosen, one } from '../../db/relations.ts';
import { banners, products } from '../../db/schema/store.ts';
import type { StoreDb } from '../../db/store.ts';
import type { Row } from '../../db/table.ts';
import { presentBanner } from './banner-row.ts';
import { present as presentProduct } from './product-reading.ts';

const relations = { product: one(products, eq(products.id, banners.product_id)) };

/** The relations of a banner that a query's `include` names. */
export const bannerRelations = (names: readonly string[]) => chosen(relations, names);

type Read = Row<typeof banners> & { product?: { data: Row<typeof products> | null } };

/** A banner as it was read, with its product if that was read along. */
export function shownBanner(db: StoreDb, { product, ...banner }: Read) {
  const shown = presentBanner(db, banner);
  if (!product) return shown;
  return { ...shown, product: { data: product.data && presentProduct(db.store, product.data) } };
}

/** What every list of banners knows (contract 4.2). */
export const bannerLanguage = {
  sort: ['name', 'slug', 'active', 'start_at', 'end_at'],
  search: {
    name: 'text',
    slug: 'text',
    type: 'word',
    active: 'bool',
    home: 'bool',
    product_id: 'id',
  },
  dates: ['start_at', 'end_at'],
  includes: ['product'],
} as const;
