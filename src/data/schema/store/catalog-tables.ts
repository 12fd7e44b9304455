import { sql } from 'drizzle-orm';
import {
  check,
  index,
  integer,
  real,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import { booleanColumn, id, json, reservedId, timestamps } from '../columns.ts';

/** The most characters of the name of a brand. */
export const maxBrandName = 255;

/** Brands. Names are unique in a store, ignoring letter case (`name_key`). */
export const brands = sqliteTable(
  'brands',
  {
    id: id(),
    store_id: integer('store_id').notNull(),
    name: text('name').notNull(),
    name_key: text('name_key').notNull(),
    name_folded: text('name_folded').notNull(),
    active: booleanColumn('active').notNull(),
    featured: booleanColumn('featured').notNull(),
    description: text('description'),
    logo_url: text('logo_url'),
    ...timestamps(),
  },
  (table) => [
    uniqueIndex('brands_name_key').on(table.store_id, table.name_key),
    index('brands_store').on(table.store_id),
    index('brands_name').on(table.store_id, table.name_folded),
    index('brands_active').on(table.store_id, table.active),
    index('brands_featured').on(table.store_id, table.featured),
    index('brands_created').on(table.store_id, table.created_at),
    index('brands_updated').on(table.store_id, table.updated_at),
  ],
);

/** Products. `revision` is their optimistic lock. */
export const products = sqliteTable(
  'products',
  {
    id: reservedId(),
    store_id: integer('store_id').notNull(),
    revision: integer('revision').notNull().default(1),
    active: booleanColumn('active').notNull(),
    searchable: booleanColumn('searchable').notNull(),
    simple: booleanColumn('simple').notNull(),
    is_digital: booleanColumn('is_digital').notNull(),
    custom_shipping: booleanColumn('custom_shipping').notNull(),
    name: text('name').notNull(),
    name_folded: text('name_folded').notNull(),
    slug: text('slug').notNull(),
    sku: text('sku'),
    sku_folded: text('sku_folded'),
    erp_id: text('erp_id'),
    ncm: text('ncm'),
    description: text('description'),
    brand_id: integer('brand_id').references(() => brands.id, { onDelete: 'set null' }),
    seller_id: integer('seller_id'),
    affiliation_id: integer('affiliation_id'),
    priority: integer('priority').notNull(),
    warranty: integer('warranty').notNull(),
    rating: real('rating').notNull().default(0),
    relevance: real('relevance'),
    gift_value: integer('gift_value').notNull(),
    shipping_price: integer('shipping_price').notNull(),
    redirect_url_card: text('redirect_url_card'),
    redirect_url_billet: text('redirect_url_billet'),
    ...timestamps(),
  },
  (table) => [
    uniqueIndex('products_slug').on(table.store_id, table.slug),
    index('products_store').on(table.store_id),
    index('products_name').on(table.store_id, table.name_folded),
    index('products_sku').on(table.store_id, table.sku_folded),
    index('products_brand_key').on(table.brand_id),
    index('products_created').on(table.store_id, table.created_at),
    index('products_updated').on(table.store_id, table.updated_at),
  ],
);

/** The sellable variants of a product. */
export const skus = sqliteTable(
  'skus',
  {
    id: reservedId(),
    store_id: integer('store_id').notNull(),
    product_id: integer('product_id')
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
    sku: text('sku').notNull(),
    sku_key: text('sku_key').notNull(),
    sku_folded: text('sku_folded').notNull(),
    title: text('title'),
    barcode: text('barcode'),
    erp_id: text('erp_id'),
    blocked_sale: booleanColumn('blocked_sale').notNull(),
    quantity_managed: booleanColumn('quantity_managed').notNull(),
    price_cost: integer('price_cost').notNull(),
    price_sale: integer('price_sale').notNull(),
    price_discount: integer('price_discount'),
    weight: real('weight').notNull(),
    height: real('height').notNull(),
    width: real('width').notNull(),
    length: real('length').notNull(),
    availability: integer('availability').notNull(),
    variations: json<{ name: string; value: string }[]>('variations').notNull(),
    ...timestamps(),
  },
  (table) => [
    uniqueIndex('skus_sku').on(table.store_id, table.sku_key),
    // Without this index SQLite looks up SKUs by id among all SKUs of the store.
    index('skus_store').on(table.store_id),
    index('skus_product').on(table.product_id),
  ],
);

/**
 * Stocks with fewer units to sell than this are in the index `stocks_low`: a change of a larger one
 * writes no row of it.
 */
export const lowStockLimit = 100;

/** The stock of a SKU at one place (`stock_id`); `reserved` units belong to open orders. */
export const stocks = sqliteTable(
  'stocks',
  {
    // The id of the SKU, which has one place.
    id: reservedId(),
    store_id: integer('store_id').notNull(),
    sku_id: integer('sku_id')
      .notNull()
      .references(() => skus.id, { onDelete: 'cascade' }),
    product_id: integer('product_id').notNull(),
    stock_id: integer('stock_id').notNull().default(1),
    quantity: integer('quantity').notNull(),
    reserved: integer('reserved').notNull().default(0),
    min_quantity: integer('min_quantity').notNull().default(0),
    ...timestamps(),
  },
  (table) => [
    uniqueIndex('stocks_place').on(table.sku_id, table.stock_id),
    index('stocks_low')
      .on(table.store_id, sql`(quantity - reserved)`)
      .where(sql`quantity - reserved < ${sql.raw(String(lowStockLimit))}`),
    check('stocks_never_oversold', sql`${table.reserved} between 0 and ${table.quantity}`),
  ],
);

/** The images of a product by `position`, which counts from 1; each URL at most once. */
export const productImages = sqliteTable(
  'product_images',
  {
    id: reservedId(),
    store_id: integer('store_id').notNull(),
    product_id: integer('product_id')
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    url: text('url').notNull(),
    alt: text('alt'),
    ...timestamps(),
  },
  (table) => [uniqueIndex('product_images_url').on(table.product_id, table.url)],
);
