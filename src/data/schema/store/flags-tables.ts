import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { booleanColumn, id, timestamps } from '../columns.ts';
import { brands, products } from './catalog-tables.ts';
import { categories } from './categories-tables.ts';
import { collections } from './collections-tables.ts';

/** Flags: badges that a shop shows on products. */
export const flags = sqliteTable(
  'flags',
  {
    id: id(),
    store_id: integer('store_id').notNull(),
    active: booleanColumn('active').notNull(),
    is_visible: booleanColumn('is_visible').notNull(),
    name: text('name').notNull(),
    name_folded: text('name_folded').notNull(),
    slug: text('slug').notNull(),
    text_color: text('text_color').notNull(),
    background_color: text('background_color').notNull(),
    image_url: text('image_url'),
    ...timestamps(),
  },
  (table) => [
    uniqueIndex('flags_slug').on(table.store_id, table.slug),
    index('flags_store').on(table.store_id),
    index('flags_name').on(table.store_id, table.name_folded),
    index('flags_active').on(table.store_id, table.active),
    index('flags_created').on(table.store_id, table.created_at),
    index('flags_updated').on(table.store_id, table.updated_at),
  ],
);

/** The lists of a flag, by their path in its record. */
export const flagLists = [
  'include_ids',
  'include.products_ids',
  'include.brands_ids',
  'include.collections_ids',
  'include.categories_ids',
  'exclude_ids',
  'exclude.products_ids',
  'exclude.brands_ids',
  'exclude.collections_ids',
  'exclude.categories_ids',
] as const;

/**
 * The rules in the lists of a flag: one product, brand, collection or category each, deleted
 * together with that record.
 */
export const flagRules = sqliteTable(
  'flag_rules',
  {
    id: id(),
    flag_id: integer('flag_id')
      .notNull()
      .references(() => flags.id, { onDelete: 'cascade' }),
    list: text('list', { enum: flagLists }).notNull(),
    product_id: integer('product_id').references(() => products.id, { onDelete: 'cascade' }),
    brand_id: integer('brand_id').references(() => brands.id, { onDelete: 'cascade' }),
    collection_id: integer('collection_id').references(() => collections.id, {
      onDelete: 'cascade',
    }),
    category_id: integer('category_id').references(() => categories.id, { onDelete: 'cascade' }),
  },
  (table) => [
    index('flag_rules_list').on(table.flag_id, table.list),
    index('flag_rules_product').on(table.product_id),
    index('flag_rules_brand').on(table.brand_id),
    index('flag_rules_collection').on(table.collection_id),
    index('flag_rules_category').on(table.category_id),
  ],
);
