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
import { banners } from './banners.ts';
import { products } from './catalog.ts';
import { flag, id, timestamps } from './columns.ts';
import { filterValues } from './filters.ts';

/** Categories form trees of at most ten levels. */
export const categories = sqliteTable(
  'categories',
  {
    id: id(),
    store_id: integer('store_id').notNull(),
    parent_id: integer('parent_id').references((): AnySQLiteColumn => categories.id),
    active: flag('active').notNull(),
    featured: flag('featured').notNull(),
    home: flag('home').notNull(),
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

/** Which products are in a category; `db/links` writes it, and sees to it that both are of one store. */
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

/** Which banners a category shows. */
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

/** Which values of filters a category offers. */
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
