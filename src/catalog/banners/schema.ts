import { eq } from 'drizzle-orm';
import * as z from 'zod';
import { explain } from '../../base/codecs/meaning.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { Row } from '../../data/core/store-table.ts';
import { pickRelations, toOne } from '../../data/queries/relations.ts';
import { banners } from '../../data/schema/store/banners-tables.ts';
import { products } from '../../data/schema/store/catalog-tables.ts';
import { ProductSchema, serializeProduct } from '../products/schema.ts';
import { bannerRowMeanings, BannerRowSchema, serializeBannerRow } from './row.ts';

/** A banner; `product` is present when `include` names it. */
export const BannerSchema = z
  .object({
    ...BannerRowSchema.shape,
    product: z.object({ data: ProductSchema.nullable() }).optional(),
  })
  .meta({ id: 'Banner' });

/* @__PURE__ */ explain(
  BannerSchema,
  'A picture that categories, collections and the home page of the shop show.',
  bannerRowMeanings,
  { product: 'The advertised product; with include=product.' },
);

const relations = { product: toOne(products, eq(products.id, banners.product_id)) };

export const selectBannerExtras = (includes: readonly string[]) =>
  pickRelations(relations, includes);

type BannerRecord = Row<typeof banners> & { product?: { data: Row<typeof products> | null } };

export function serializeBanner(db: StoreDb, { product, ...banner }: BannerRecord) {
  const row = serializeBannerRow(db, banner);
  if (!product) return row;
  return { ...row, product: { data: product.data && serializeProduct(db.store, product.data) } };
}

/** Query options of every list of banners. */
export const bannerListOptions = {
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
