import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { booleanColumn, id, epochMs, timestamps } from '../columns.ts';
import { products } from './catalog-tables.ts';

/** Banners of the shop; categories and collections show them. */
export const banners = sqliteTable(
  'banners',
  {
    id: id(),
    store_id: integer('store_id').notNull(),
    product_id: integer('product_id').references(() => products.id, { onDelete: 'set null' }),
    type: text('type').notNull(),
    active: booleanColumn('active').notNull(),
    home: booleanColumn('home').notNull(),
    name: text('name').notNull(),
    name_folded: text('name_folded').notNull(),
    slug: text('slug').notNull(),
    ml_category: text('ml_category'),
    link: text('link'),
    image_url: text('image_url').notNull(),
    mobile_image_url: text('mobile_image_url'),
    stopwatch: text('stopwatch', { enum: ['daily', 'period'] }),
    start_at: epochMs('start_at'),
    end_at: epochMs('end_at'),
    ...timestamps(),
  },
  (table) => [
    uniqueIndex('banners_slug').on(table.store_id, table.slug),
    index('banners_store').on(table.store_id),
    index('banners_name').on(table.store_id, table.name_folded),
    index('banners_active').on(table.store_id, table.active),
    index('banners_product').on(table.product_id),
    index('banners_start').on(table.store_id, table.start_at),
    index('banners_end').on(table.store_id, table.end_at),
    index('banners_created').on(table.store_id, table.created_at),
    index('banners_updated').on(table.store_id, table.updated_at),
  ],
);
