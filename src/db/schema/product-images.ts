import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { products } from './catalog.ts';
import { reservedId, timestamps } from './columns.ts';

/** The images of a product in their order (`position` counts from 1), each address once. */
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
