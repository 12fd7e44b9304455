import {
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
  uniqueIndex,
  type AnySQLiteColumn,
} from 'drizzle-orm/sqlite-core';
import { booleanColumn, id, timestamps } from '../columns.ts';
import { banners } from './banners-tables.ts';
import { products } from './catalog-tables.ts';

/** Categories, in trees of at most ten levels (`queries/tree.ts`). */
export const categories = sqliteTable(
  'categories',
  {
    id: id(),
    store_id: integer('store_id').notNull(),
    parent_id: integer('parent_id').references((): AnySQLiteColumn => categories.id),
    active: booleanColumn('active').notNull(),
    featured: booleanColumn('featured').notNull(),
    home: booleanColumn('home').notNull(),
    name: text('name').notNull(),
    name_folded: text('name_folded').notNull(),
    slug: text('slug').notNull(),
    description: text('description'),
    price_factor: real('price_factor').notNull(),
    order: integer('order').notNull(),
    sort_by: text('sort_by').notNull(),
    seo_title: text('seo_title'),
    seo_title_folded: text('seo_title_folded'),
    seo_keywords: text('seo_keywords'),
    seo_keywords_folded: text('seo_keywords_folded'),
    seo_description: text('seo_description'),
    seo_description_folded: text('seo_description_folded'),
    external_url: text('external_url'),
    canonical_url: text('canonical_url'),
    category_cover: text('category_cover'),
    ml_category: text('ml_category'),
    ...timestamps(),
  },
  (table) => [
    uniqueIndex('categories_slug').on(table.store_id, table.slug),
    index('categories_store').on(table.store_id),
    index('categories_name').on(table.store_id, table.name_folded),
    index('categories_order').on(table.store_id, table.order),
    index('categories_parent').on(table.store_id, table.parent_id),
    index('categories_parent_key').on(table.parent_id),
    index('categories_active').on(table.store_id, table.active),
    index('categories_featured').on(table.store_id, table.featured),
    index('categories_created').on(table.store_id, table.created_at),
    index('categories_updated').on(table.store_id, table.updated_at),
  ],
);

/**
 * The products of a category. `queries/links.ts` writes these pairs and checks that both records
 * are in one store.
 */
export const categoryProducts = sqliteTable(
  'category_products',
  {
    category_id: integer('category_id')
      .notNull()
      .references(() => categories.id, { onDelete: 'cascade' }),
    product_id: integer('product_id')
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.category_id, table.product_id] }),
    index('category_products_product').on(table.product_id),
  ],
);

/** The banners of a category. */
export const categoryBanners = sqliteTable(
  'category_banners',
  {
    category_id: integer('category_id')
      .notNull()
      .references(() => categories.id, { onDelete: 'cascade' }),
    banner_id: integer('banner_id')
      .notNull()
      .references(() => banners.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.category_id, table.banner_id] }),
    index('category_banners_banner').on(table.banner_id),
  ],
);

/** The filter values of a category. */
export const categoryFilterValues = sqliteTable(
  'category_filter_values',
  {
    category_id: integer('category_id')
      .notNull()
      .references(() => categories.id, { onDelete: 'cascade' }),
    filter_value_id: integer('filter_value_id')
      .notNull()
      .references(() => filterValues.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.category_id, table.filter_value_id] }),
    index('category_filter_values_value').on(table.filter_value_id),
  ],
);

/** Filters for lists of products, such as the colour. Names are unique in a store. */
export const filters = sqliteTable(
  'filters',
  {
    id: id(),
    store_id: integer('store_id').notNull(),
    name: text('name').notNull(),
    name_key: text('name_key').notNull(),
    name_folded: text('name_folded').notNull(),
    searchable: booleanColumn('searchable').notNull(),
    navigation: booleanColumn('navigation').notNull(),
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

/** The values of a filter. Names are unique in the filter. */
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
