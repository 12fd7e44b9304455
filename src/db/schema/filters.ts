import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { flag, id, timestamps } from './columns.ts';

/** What buyers narrow a list of products by, such as the colour. Names are unique in a store. */
export const filters = sqliteTable(
  'filters',
  {
    id: id(),
    store_id: integer('store_id').notNull(),
    name: text('name').notNull(),
    name_key: text('name_key').notNull(),
    name_folded: text('name_folded').notNull(),
    searchable: flag('searchable').notNull(),
    navigation: flag('navigation').notNull(),
    ...timestamps(),
  },
  (table) => [
    uniqueIndex('filters_name_key').on(table.store_id, table.name_key),
    index('filters_store').on(table.store_id),
    index('filters_name').on(table.store_id, table.name_folded),
    index('filters_created').on(table.store_id, table.created_at),
    index('filters_updated').on(table.store_id, table.updated_at),
  ],
);

/** The values of a filter. Names are unique in it. */
export const filterValues = sqliteTable(
  'filter_values',
  {
    id: id(),
    store_id: integer('store_id').notNull(),
    filter_id: integer('filter_id')
      .notNull()
      .references(() => filters.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    name_key: text('name_key').notNull(),
    name_folded: text('name_folded').notNull(),
    color: text('color'),
    image_url: text('image_url'),
    ...timestamps(),
  },
  (table) => [
    uniqueIndex('filter_values_name_key').on(table.filter_id, table.name_key),
    index('filter_values_store').on(table.store_id),
    index('filter_values_filter').on(table.filter_id),
    index('filter_values_name').on(table.filter_id, table.name_folded),
    index('filter_values_created').on(table.filter_id, table.created_at),
    index('filter_values_updated').on(table.filter_id, table.updated_at),
  ],
);
