import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
  type AnySQLiteColumn,
} from 'drizzle-orm/sqlite-core';
import { booleanColumn, id, epochMs, timestamps } from '../columns.ts';
import { banners } from './banners-tables.ts';
import { brands, products } from './catalog-tables.ts';
import { categories } from './categories-tables.ts';

/** Collections. `restricted` distinguishes empty restrictions from no restrictions. */
export const collections = sqliteTable(
  'collections',
  {
    id: id(),
    store_id: integer('store_id').notNull(),
    parent_id: integer('parent_id').references((): AnySQLiteColumn => collections.id),
    active: booleanColumn('active').notNull(),
    show_banners: booleanColumn('show_banners').notNull(),
    featured: booleanColumn('featured').notNull(),
    home: booleanColumn('home').notNull(),
    is_promotional: booleanColumn('is_promotional').notNull(),
    restricted: booleanColumn('restricted').notNull(),
    name: text('name').notNull(),
    name_folded: text('name_folded').notNull(),
    slug: text('slug').notNull(),
    description: text('description'),
    visible_products: integer('visible_products').notNull(),
    seo_title: text('seo_title'),
    seo_keywords: text('seo_keywords'),
    seo_description: text('seo_description'),
    start_at: epochMs('start_at'),
    end_at: epochMs('end_at'),
    stopwatch: text('stopwatch', { enum: ['daily', 'period'] }),
    url: text('url'),
    ...timestamps(),
  },
  (table) => [
    uniqueIndex('collections_slug').on(table.store_id, table.slug),
    index('collections_store').on(table.store_id),
    index('collections_name').on(table.store_id, table.name_folded),
    index('collections_parent').on(table.store_id, table.parent_id),
    index('collections_parent_key').on(table.parent_id),
    index('collections_active').on(table.store_id, table.active),
    index('collections_featured').on(table.store_id, table.featured),
    index('collections_start').on(table.store_id, table.start_at),
    index('collections_end').on(table.store_id, table.end_at),
    index('collections_created').on(table.store_id, table.created_at),
    index('collections_updated').on(table.store_id, table.updated_at),
  ],
);

const collectionId = () =>
  integer('collection_id')
    .notNull()
    .references(() => collections.id, { onDelete: 'cascade' });

/** The products of a collection. */
export const collectionProducts = sqliteTable(
  'collection_products',
  {
    collection_id: collectionId(),
    product_id: integer('product_id')
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.collection_id, table.product_id] }),
    index('collection_products_product').on(table.product_id),
  ],
);

/** The banners of a collection. */
export const collectionBanners = sqliteTable(
  'collection_banners',
  {
    collection_id: collectionId(),
    banner_id: integer('banner_id')
      .notNull()
      .references(() => banners.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.collection_id, table.banner_id] }),
    index('collection_banners_banner').on(table.banner_id),
  ],
);

/**
 * The restrictions of a collection: one product, brand or category each, deleted together with that
 * record.
 */
export const collectionRules = sqliteTable(
  'collection_rules',
  {
    id: id(),
    collection_id: collectionId(),
    side: text('side', { enum: ['include', 'exclude'] }).notNull(),
    product_id: integer('product_id').references(() => products.id, { onDelete: 'cascade' }),
    brand_id: integer('brand_id').references(() => brands.id, { onDelete: 'cascade' }),
    category_id: integer('category_id').references(() => categories.id, { onDelete: 'cascade' }),
  },
  (table) => [
    index('collection_rules_collection').on(table.collection_id),
    index('collection_rules_product').on(table.product_id),
    index('collection_rules_brand').on(table.brand_id),
    index('collection_rules_category').on(table.category_id),
  ],
);

/** Product feeds for other services, of one collection or of all products. */
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
