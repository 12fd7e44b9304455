import { eq, sql } from 'drizzle-orm';
import * as z from 'zod';
import { restrictedTo } from '../../access/may-see.ts';
import { boolOutput, moneyOutput } from '../../codecs/fields/scalars.ts';
import { dateTime } from '../../codecs/time/date-time.ts';
import { categoriesOfProduct } from '../../db/catalog/links.ts';
import type { StoreDb } from '../../db/core/store-db.ts';
import type { Store } from '../../db/core/store.ts';
import type { Row } from '../../db/core/table.ts';
import { isLinkedTo } from '../../db/query/links.ts';
import { pickRelations, computedNumber, toMany, toOne } from '../../db/query/relations.ts';
import { brands, productImages, products, skus, stocks } from '../../db/schema/store/catalog.ts';
import { categories } from '../../db/schema/store/categories.ts';
import { BrandSchema } from './brand.ts';
import {
  CategoryEventSchema,
  CategoryRowSchema,
  categoryExtras,
  serializeCategoryRow,
  type CategoryRecord,
} from './category.ts';

const line = z.string();

/** A sellable variant of a product. Prices are in the currency of the store. */
export const SkuSchema = z
  .object({
    id: z.int(),
    product_id: z.int(),
    sku: line,
    title: line.nullable(),
    barcode: line.nullable(),
    erp_id: line.nullable(),
    blocked_sale: boolOutput,
    quantity_managed: boolOutput,
    price_cost: moneyOutput,
    price_sale: moneyOutput,
    price_discount: moneyOutput.nullable(),
    weight: z.number(),
    height: z.number(),
    width: z.number(),
    length: z.number(),
    availability: z.int(),
    variations: z.array(z.object({ name: line, value: line })),
    total_in_stock: restrictedTo('inventory.read', z.int().nullable()),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'Sku' });

/** The quantity of a SKU at one location. */
export const StockSchema = z
  .object({
    id: z.int(),
    sku_id: z.int(),
    product_id: z.int(),
    stock_id: z.int(),
    quantity: z.int(),
    reserved: z.int(),
    min_quantity: z.int(),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'Stock' });

/** The fields of a product without relations. */
const productRow = {
  id: z.int(),
  merchant_id: z.int(),
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
  warranty: z.int().meta({ description: 'In days.' }),
  rating: z.number(),
  relevance: z.number().nullable(),
  gift_value: moneyOutput,
  shipping_price: moneyOutput,
  url: line,
  preview_url: line,
  redirect_url_card: line.nullable(),
  redirect_url_billet: line.nullable(),
  created_at: dateTime,
  updated_at: dateTime,
};

const ProductImageSchema = z
  .object({
    id: z.int(),
    url: line,
    alt: line.nullable(),
    position: z.int().meta({ description: 'Place among the images, starting at 1.' }),
  })
  .meta({ id: 'ProductImage' });

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

/** `resource` of product.inventory.updated. */
export const StockEventSchema = StockSchema.extend({ sku: z.object({ data: SkuSchema }) }).meta({
  id: 'StockEvent',
});

/** The quantity of a SKU that can be sold now: stored minus reserved, over all locations. */
export const skuExtras = {
  total_in_stock: computedNumber(
    sql`coalesce((select sum(${stocks.quantity} - ${stocks.reserved})
      from ${stocks} where ${stocks.sku_id} = ${skus.id}), 0)`,
  ),
};

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

export const serializeProducts = (
  db: StoreDb,
  rows: readonly Parameters<typeof serializeProduct>[1][],
) => rows.map((row) => serializeProduct(db.store, row));

/** Query options of every list of products. */
export const productListOptions = {
  sort: ['name', 'slug', 'sku', 'active', 'priority', 'rating'],
  search: { name: 'text', slug: 'text', sku: 'text', brand_id: 'id', active: 'bool' },
  includes: ['skus', 'brand', 'categories', 'images'],
} as const;
