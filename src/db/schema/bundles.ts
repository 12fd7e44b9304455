import { index, integer, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { skus } from './catalog.ts';
import { flag, id, timestamps } from './columns.ts';

/** Kits of SKUs that are bought together. Prices in cents. */
export const bundles = sqliteTable(
  'bundles',
  {
    id: id(),
    store_id: integer('store_id').notNull(),
    name: text('name').notNull(),
    name_folded: text('name_folded').notNull(),
    image_url: text('image_url').notNull(),
    active: flag('active').notNull(),
    modifiable: flag('modifiable').notNull(),
    custom_shipping: flag('custom_shipping').notNull(),
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

/** What is in a kit: a SKU at most once. `discount` in per cent. */
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
