import { eq } from 'drizzle-orm';
import * as z from 'zod';
import { recordTimes } from '../../base/codecs/fields/date-time.ts';
import { idOutput, merchantId } from '../../base/codecs/fields/ids.ts';
import { boolOutput, moneyOutput } from '../../base/codecs/fields/scalars.ts';
import { explain } from '../../base/codecs/meaning.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { Row } from '../../data/core/store-table.ts';
import type { Store } from '../../data/core/store.ts';
import { isLinkedTo } from '../../data/queries/links.ts';
import { pickRelations, toMany, toOne } from '../../data/queries/relations.ts';
import { brands, productImages, products, skus } from '../../data/schema/store/catalog-tables.ts';
import { categories } from '../../data/schema/store/categories-tables.ts';
import { BrandSchema } from '../brands.ts';
import { categoriesOfProduct } from '../catalog-links.ts';
import {
  CategoryEventSchema,
  CategoryRowSchema,
  categoryExtras,
  serializeCategoryRow,
  type CategoryRecord,
} from '../categories/schema.ts';
import { SkuSchema, skuExtras } from '../skus/schema.ts';
import { ProductImageSchema } from './parts-schema.ts';

const line = z.string();

/** The fields of a product without relations. */
const productRow = {
  id: idOutput,
  merchant_id: merchantId,
  active: boolOutput,
  searchable: boolOutput,
  simple: boolOutput,
  has_variations: z.boolean(),
  is_digital: boolOutput,
  custom_shipping: boolOutput,
  name: line,
  slug: line,
  sku: line.nullable(),
  erp_id: line.nullable(),
  ncm: line.nullable(),
  description: line.nullable(),
  brand_id: z.int().nullable(),
  seller_id: z.int().nullable(),
  affiliation_id: z.int().nullable(),
  priority: z.int(),
  warranty: z.int(),
  rating: z.number(),
  relevance: z.number().nullable(),
  gift_value: moneyOutput,
  shipping_price: moneyOutput,
  url: line,
  preview_url: line,
  redirect_url_card: line.nullable(),
  redirect_url_billet: line.nullable(),
  ...recordTimes,
};

export const productMeanings = {
  active: 'Whether the shop sells the product; lists here have inactive ones too.',
  searchable: 'Whether the search of the shop finds the product.',
  simple:
    'Whether the product is sold without variants, so with one SKU. The service does not enforce it.',
  has_variations: 'The opposite of simple: buyers choose between SKUs.',
  is_digital: 'Whether nothing is shipped, as for a download.',
  custom_shipping: 'Whether shipping_price replaces the usual shipping.',
  name: 'What buyers read.',
  slug: 'Last part of the address in the shop; unique in the store. Made from the name unless you send one.',
  sku: 'Your code of the product as a whole; each SKU has its own.',
  erp_id: 'Id of the product in your ERP; stored and returned as sent.',
  ncm: 'Code of the Mercosur nomenclature, for invoices.',
  description: 'Text for buyers, as plain text with line breaks.',
  brand_id: 'Brand of the product; null without one, and after the brand is deleted.',
  seller_id: 'Seller in a marketplace; null, because no operation sets it.',
  affiliation_id: 'Payment contract of a marketplace seller; null, because no operation sets it.',
  priority: "Weight in the shop's own order of products; higher comes first.",
  warranty: 'Length of the warranty in days; 0 for none.',
  rating: 'Average rating from 0 to 5; stays 0, because no operation sets it.',
  relevance: 'Score for the order of products in the shop; null, because no operation sets it.',
  gift_value: 'What gift wrapping adds per unit.',
  shipping_price:
    'What shipping one unit costs with custom_shipping, in the currency of the store.',
  url: 'Page of the product in the shop.',
  preview_url: 'The same page while the product is not active yet.',
  redirect_url_card: 'Where buyers land after paying by card; null for the usual page.',
  redirect_url_billet: 'Where buyers land after ordering with a billet; null for the usual page.',
};

const skusField = z.object({ data: z.array(SkuSchema) });
const brandField = z.object({ data: BrandSchema.nullable() });
const categoriesField = z.object({ data: z.array(CategoryRowSchema) });
const imagesField = z.object({ data: z.array(ProductImageSchema) });

/** A product with the relations that `include` names. */
export const ProductSchema = z
  .object({
    ...productRow,
    skus: skusField.optional(),
    brand: brandField.optional(),
    categories: categoriesField.optional(),
    images: imagesField.optional(),
  })
  .meta({ id: 'Product' });

/* @__PURE__ */ explain(
  ProductSchema,
  'Something the shop sells. Buyers put its SKUs into a cart.',
  productMeanings,
  {
    skus: 'Up to 100 SKUs, by id; with include=skus.',
    brand: 'The brand, null without one; with include=brand.',
    categories: 'Up to 100 categories, by id; with include=categories.',
    images: 'Up to 20 pictures in their order; with include=images.',
  },
);

/** `resource` of the product events, with all relations; categories in their short form. */
export const ProductEventSchema = z
  .object({
    ...productRow,
    skus: skusField,
    brand: brandField,
    categories: z.object({ data: z.array(CategoryEventSchema) }),
    images: imagesField,
  })
  .meta({ id: 'ProductEvent' });

/* @__PURE__ */ explain(
  ProductEventSchema,
  'A product as its events carry it, with all relations. That of product.deleted is its last state.',
  productMeanings,
  {
    skus: 'All SKUs, by id.',
    brand: 'The brand, null without one.',
    categories: 'Up to 100 categories, by id, in their short form.',
    images: 'All pictures in their order.',
  },
);

export const productRelations = {
  skus: toMany(skus, eq(skus.product_id, products.id), skuExtras),
  brand: toOne(brands, eq(brands.id, products.brand_id)),
  categories: toMany(
    categories,
    isLinkedTo(categoriesOfProduct, products.id),
    categoryExtras(categories),
  ),
  images: toMany(
    productImages,
    eq(productImages.product_id, products.id),
    {},
    productImages.position,
  ),
};

export const selectProductExtras = (includes: readonly string[]) =>
  pickRelations(productRelations, includes);

export function serializeProduct<
  P extends Row<typeof products> & { categories?: { data: CategoryRecord[] } },
>(store: Store, { categories, ...product }: P) {
  const url = `${store.base_url}/products/${product.slug}`;
  return {
    ...product,
    ...(categories && {
      categories: {
        data: categories.data.map((category) => serializeCategoryRow(store, category)),
      },
    }),
    merchant_id: store.id,
    has_variations: !product.simple,
    url,
    preview_url: `${url}?preview=1`,
  };
}

/** A product as the reply to a change shows it: without relations. */
export const serializeAlone = <P extends Parameters<typeof serializeProduct>[1]>(
  { store }: StoreDb,
  {
    skus: _s,
    brand: _b,
    categories: _c,
    images: _i,
    ...product
  }: P & { [K in keyof typeof productRelations]: unknown },
) => serializeProduct(store, product);

export const serializeProducts = (
  db: StoreDb,
  rows: readonly Parameters<typeof serializeProduct>[1][],
) => rows.map((row) => serializeProduct(db.store, row));

/** Query options of every list of products. */
export const productListOptions = {
  sort: ['name', 'slug', 'sku', 'active', 'priority', 'rating'],
  search: { name: 'text', slug: 'text', sku: 'code', brand_id: 'id', active: 'bool' },
  includes: ['skus', 'brand', 'categories', 'images'],
} as const;
