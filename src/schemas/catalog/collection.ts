import { eq, sql } from 'drizzle-orm';
import * as z from 'zod';
import { boolOutput } from '../../codecs/fields/scalars.ts';
import { dateTime, localDateTime } from '../../codecs/time/date-time.ts';
import { countdownEndsAt, isExpired } from '../../codecs/time/period.ts';
import { restrictionsOf, type Restrictions } from '../../db/catalog/collection-restrictions.ts';
import { bannersOfCollection, productsOfCollection } from '../../db/catalog/links.ts';
import type { StoreDb } from '../../db/core/store-db.ts';
import type { Row } from '../../db/core/table.ts';
import { isLinkedTo } from '../../db/query/links.ts';
import {
  aliasTable,
  pickRelations,
  computedNumber,
  toMany,
  toOne,
} from '../../db/query/relations.ts';
import { banners } from '../../db/schema/store/banners.ts';
import { products } from '../../db/schema/store/catalog.ts';
import { collectionProducts, collections } from '../../db/schema/store/collections.ts';
import { BannerRowSchema, serializeBannerRow } from './banner-row.ts';
import { ProductSchema, serializeProduct } from './product.ts';

const line = z.string();
const ids = z.array(z.int());
const idLists = z.object({ products_ids: ids, brands_ids: ids, categories_ids: ids });

const row = {
  id: z.int(),
  parent_id: z.int().nullable(),
  active: boolOutput,
  show_banners: boolOutput,
  featured: boolOutput,
  home: boolOutput,
  is_promotional: boolOutput,
  expired: z.boolean(),
  restriced: z.boolean().meta({
    description: 'Whether restrictions contains any id. This spelling is part of the API.',
  }),
  name: line,
  slug: line,
  path: line,
  url: line,
  description: line.nullable(),
  seo_title: line.nullable(),
  seo_keywords: line.nullable(),
  seo_description: line.nullable(),
  visible_products: z.int(),
  total_products: z.int(),
  stopwatch: line.nullable(),
  expire_in: localDateTime.nullable(),
  stopwatch_expires_in: localDateTime.nullable(),
  restrictions: z.object({ include: idLists, exclude: idLists }).nullable(),
  start_at: dateTime.nullable(),
  end_at: dateTime.nullable(),
  created_at: dateTime,
  updated_at: dateTime,
};

export const CollectionRowSchema = z.object(row).meta({ id: 'CollectionRow' });

/** A collection with the relations that `include` names. */
export const CollectionSchema = z
  .object({
    ...row,
    parent: z.object({ data: CollectionRowSchema.nullable() }).optional(),
    children: z.object({ data: z.array(CollectionRowSchema) }).optional(),
    products: z.object({ data: z.array(ProductSchema) }).optional(),
    banners: z.object({ data: z.array(BannerRowSchema) }).optional(),
  })
  .meta({ id: 'Collection' });

type Collections = typeof collections;

/** Computed columns of a collection. */
export const collectionExtras = (table: Collections) => ({
  total_products: computedNumber(
    sql`(select count(*) from ${collectionProducts} where ${collectionProducts.collection_id} = ${table.id})`,
  ),
  restrictions: restrictionsOf(table),
});

const parents = aliasTable(collections, 'parents');
const children = aliasTable(collections, 'children');

const relations = {
  parent: toOne(parents, eq(parents.id, collections.parent_id), collectionExtras(parents)),
  children: toMany(children, eq(children.parent_id, collections.id), collectionExtras(children)),
  products: toMany(products, isLinkedTo(productsOfCollection, collections.id)),
  banners: toMany(banners, isLinkedTo(bannersOfCollection, collections.id)),
};

export const collectionIncludes = ['products', 'banners', 'parent', 'children'] as const;

/** The computed columns, and the relations that `include` names. */
export const selectCollectionExtras = (
  includes: readonly string[],
): ReturnType<typeof collectionExtras> & Partial<typeof relations> => ({
  ...collectionExtras(collections),
  ...pickRelations(relations, includes),
});

type CollectionRecord = Row<Collections> & {
  total_products: number;
  restrictions: Restrictions | null;
};

const hasRestrictions = (restrictions: Restrictions | null) =>
  Object.values(restrictions ?? {}).some((side) =>
    Object.values(side as Restrictions['include']).some((ids) => ids.length > 0),
  );

/** Adds the fields that depend on the store and the current time. */
export const serializeCollectionRow = ({ store, now }: StoreDb, collection: CollectionRecord) => {
  const path = `/collections/${collection.slug}`;
  return {
    ...collection,
    path,
    url: collection.url ?? `${store.base_url}${path}`,
    expired: isExpired(collection, now),
    restriced: hasRestrictions(collection.restrictions),
    expire_in: collection.end_at,
    stopwatch_expires_in: countdownEndsAt(collection, now, store.zone),
  };
};

type CollectionWithRelations = CollectionRecord & {
  parent?: { data: CollectionRecord | null };
  children?: { data: CollectionRecord[] };
  products?: { data: Row<typeof products>[] };
  banners?: { data: Row<typeof banners>[] };
};

export function serializeCollection(db: StoreDb, record: CollectionWithRelations) {
  const { parent, children, products, banners, ...collection } = record;
  const serializeRow = (row: CollectionRecord) => serializeCollectionRow(db, row);
  return {
    ...serializeRow(collection),
    ...(parent && { parent: { data: parent.data && serializeRow(parent.data) } }),
    ...(children && { children: { data: children.data.map(serializeRow) } }),
    ...(products && {
      products: { data: products.data.map((product) => serializeProduct(db.store, product)) },
    }),
    ...(banners && {
      banners: { data: banners.data.map((banner) => serializeBannerRow(db, banner)) },
    }),
  };
}
