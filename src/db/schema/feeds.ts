import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { collections } from './collections.ts';
import { id, timestamps } from './columns.ts';

/** Feeds of products for other services; without a collection, of all products. */
export const feeds = sqliteTable(
  'feeds',
  {
    id: id(),
    store_id: integer('store_id').notNull(),
    collection_id: integer('collection_id').references(() => collections.id, {
      onDelete: 'set null',
    }),
    service: text('service').notNull(),
    name: text('name').notNull(),
    name_folded: text('name_folded').notNull(),
    url: text('url').notNull(),
    ...timestamps(),
  },
  (table) => [
    index('feeds_store').on(table.store_id),
    index('feeds_name').on(table.store_id, table.name_folded),
    index('feeds_service').on(table.store_id, table.service),
    index('feeds_collection').on(table.store_id, table.collection_id),
    index('feeds_collection_key').on(table.collection_id),
    index('feeds_created').on(table.store_id, table.created_at),
    index('feeds_updated').on(table.store_id, table.updated_at),
  ],
);
