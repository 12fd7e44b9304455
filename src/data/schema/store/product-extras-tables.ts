import {
  index,
  integer,
  real,
  sqliteTable,
  text,
  uniqueIndex,
  primaryKey,
  type AnySQLiteColumn,
} from 'drizzle-orm/sqlite-core';
import { booleanColumn, id, timestamps, json } from '../columns.ts';
import { skus, products } from './catalog-tables.ts';

/** Bundles: SKUs that are bought together. Prices in cents. */
export const bundles = sqliteTable(
  'bundles',
  {
    id: id(),
    store_id: integer('store_id').notNull(),
    name: text('name').notNull(),
    name_folded: text('name_folded').notNull(),
    image_url: text('image_url').notNull(),
    active: booleanColumn('active').notNull(),
    modifiable: booleanColumn('modifiable').notNull(),
    custom_shipping: booleanColumn('custom_shipping').notNull(),
    shipping_type: text('shipping_type', { enum: ['default', 'fixed', 'free'] }).notNull(),
    shipping_price: integer('shipping_price'),
    shipping_days: integer('shipping_days'),
    ...timestamps(),
  },
  (table) => [
    index('bundles_store').on(table.store_id),
    index('bundles_name').on(table.store_id, table.name_folded),
    index('bundles_active').on(table.store_id, table.active),
    index('bundles_created').on(table.store_id, table.created_at),
    index('bundles_updated').on(table.store_id, table.updated_at),
  ],
);

/** The items of a bundle, each SKU at most once. `discount` in per cent. */
export const bundleItems = sqliteTable(
  'bundle_items',
  {
    id: id(),
    store_id: integer('store_id').notNull(),
    bundle_id: integer('bundle_id')
      .notNull()
      .references(() => bundles.id, { onDelete: 'cascade' }),
    sku_id: integer('sku_id')
      .notNull()
      .references(() => skus.id, { onDelete: 'cascade' }),
    quantity: integer('quantity').notNull(),
    price_type: text('price_type', { enum: ['sku', 'fixed', 'discount'] }).notNull(),
    price: integer('price'),
    discount: real('discount').notNull(),
    ...timestamps(),
  },
  (table) => [
    uniqueIndex('bundle_items_sku').on(table.bundle_id, table.sku_id),
    index('bundle_items_sku_key').on(table.sku_id),
  ],
);

/** Customizations that a buyer can order with a product. Price in cents. */
export const customizations = sqliteTable(
  'customizations',
  {
    id: id(),
    store_id: integer('store_id').notNull(),
    name: text('name').notNull(),
    name_folded: text('name_folded').notNull(),
    price: integer('price').notNull(),
    description: text('description'),
    type: text('type', { enum: ['text', 'textarea', 'select'] }).notNull(),
    required: booleanColumn('required').notNull(),
    max_chars: integer('max_chars').notNull(),
    values: json<string[]>('values').notNull(),
    ...timestamps(),
  },
  (table) => [
    index('customizations_store').on(table.store_id),
    index('customizations_name').on(table.store_id, table.name_folded),
    index('customizations_type').on(table.store_id, table.type),
    index('customizations_price').on(table.store_id, table.price),
    index('customizations_required').on(table.store_id, table.required),
    index('customizations_created').on(table.store_id, table.created_at),
    index('customizations_updated').on(table.store_id, table.updated_at),
  ],
);

/** The products that offer a customization. */
export const customizationProducts = sqliteTable(
  'customization_products',
  {
    customization_id: integer('customization_id')
      .notNull()
      .references(() => customizations.id, { onDelete: 'cascade' }),
    product_id: integer('product_id')
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.customization_id, table.product_id] }),
    index('customization_products_product').on(table.product_id),
  ],
);

/** Comments on products. An answer is a comment with a `comment_id`. */
export const productComments = sqliteTable(
  'product_comments',
  {
    id: id(),
    store_id: integer('store_id').notNull(),
    product_id: integer('product_id')
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
    comment_id: integer('comment_id').references((): AnySQLiteColumn => productComments.id, {
      onDelete: 'cascade',
    }),
    approved: booleanColumn('approved').notNull(),
    name: text('name').notNull(),
    name_folded: text('name_folded').notNull(),
    email: text('email').notNull(),
    email_folded: text('email_folded').notNull(),
    message: text('message').notNull(),
    ...timestamps(),
  },
  (table) => [
    index('product_comments_store').on(table.store_id),
    index('product_comments_product').on(table.store_id, table.product_id),
    index('product_comments_product_key').on(table.product_id),
    index('product_comments_parent').on(table.store_id, table.comment_id),
    index('product_comments_parent_key').on(table.comment_id),
    index('product_comments_approved').on(table.store_id, table.approved),
    index('product_comments_name').on(table.store_id, table.name_folded),
    index('product_comments_email').on(table.store_id, table.email_folded),
    index('product_comments_created').on(table.store_id, table.created_at),
    index('product_comments_updated').on(table.store_id, table.updated_at),
  ],
);
