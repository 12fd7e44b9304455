import { eq, sql } from 'drizzle-orm';
import * as z from 'zod';
import { localDateTime, recordTimes } from '../../base/codecs/fields/date-time.ts';
import { idOutput } from '../../base/codecs/fields/ids.ts';
import { countdownEndsAt, isExpired, periodOutput } from '../../base/codecs/fields/period.ts';
import { boolOutput } from '../../base/codecs/fields/scalars.ts';
import { explain } from '../../base/codecs/meaning.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { Row } from '../../data/core/store-table.ts';
import { isLinkedTo } from '../../data/queries/links.ts';
import {
  aliasTable,
  pickRelations,
  computedNumber,
  toMany,
  toOne,
} from '../../data/queries/relations.ts';
import { banners } from '../../data/schema/store/banners-tables.ts';
import { products } from '../../data/schema/store/catalog-tables.ts';
import { collectionProducts, collections } from '../../data/schema/store/collections-tables.ts';
import { BannerRowSchema, serializeBannerRow } from '../banners/row.ts';
import { bannersOfCollection, productsOfCollection } from '../catalog-links.ts';
import { ProductSchema, serializeProduct } from '../products/schema.ts';
import { seoFields, seoMeanings } from '../seo-schema.ts';
import { restrictionsOf, type Restrictions } from './restriction-queries.ts';

const line = z.string();
const ids = z.array(z.int());
/** One side of the restrictions. */
export const RestrictedListsSchema = z.object({
  products_ids: ids.describe('Products that match, as ids.'),
  brands_ids: ids.describe('All products of these brands, as ids.'),
  categories_ids: ids.describe('All products of these categories, as ids.'),
});

export const RestrictionsSchema = z.object({
  include: RestrictedListsSchema.describe('What the shop may add beside the linked products.'),
  exclude: RestrictedListsSchema.describe('What the shop leaves out, even if it is linked.'),
});

const row = {
  id: idOutput,
  parent_id: z.int().nullable(),
  active: boolOutput,
  show_banners: boolOutput,
  featured: boolOutput,
  home: boolOutput,
  is_promotional: boolOutput,
  restriced: z.boolean(),
  name: line,
  slug: line,
  path: line,
  url: line,
  description: line.nullable(),
  ...seoFields,
  visible_products: z.int(),
  total_products: z.int(),
  ...periodOutput,
  expire_in: localDateTime.nullable(),
  stopwatch_expires_in: localDateTime.nullable(),
  restrictions: RestrictionsSchema.nullable(),
  ...recordTimes,
};

const collectionMeanings = {
  parent_id: 'Collection above this one; null at the root, and after the parent is deleted.',
  active: 'Whether the shop may show the collection; start_at and end_at limit that further.',
  show_banners: 'Whether the page of the collection shows its banners.',
  featured: 'Whether the shop may highlight the collection.',
  home: 'Whether the shop shows the collection on its home page.',
  is_promotional: 'Whether the collection is a sale, so that the shop can mark it as one.',
  restriced: 'Whether restrictions contains any id. This spelling is part of the API.',
  name: 'What buyers read.',
  slug: 'Last part of the address in the shop; unique in the store. Made from the name unless you send one.',
  path: 'Path of the collection in the shop, made from the slug.',
  url: 'Full address: the one you sent, else that of the shop followed by path.',
  description: 'Introduction for buyers, as plain text.',
  visible_products: 'How many products the shop shows at once; 0 shows all.',
  total_products: 'Products linked to the collection, active or not.',
  expire_in: 'end_at once more, as text in local time.',
  stopwatch_expires_in: 'When the countdown reaches zero, in local time; null without stopwatch.',
  restrictions:
    'Rules for the shop: what the collection takes in and leaves out. Lists of this API do not apply them.',
};

export const CollectionRowSchema = z.object(row).meta({ id: 'CollectionRow' });

/* @__PURE__ */ explain(
  CollectionRowSchema,
  'A collection without relations.',
  seoMeanings,
  collectionMeanings,
);

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

/* @__PURE__ */ explain(
  CollectionSchema,
  'Products grouped for a campaign or a theme, for a time or for good.',
  seoMeanings,
  collectionMeanings,
  {
    parent: 'The collection above, null at the root; with include=parent.',
    children: 'Up to 100 collections directly below; with include=children.',
    products: 'Up to 100 products of the collection; with include=products.',
    banners: 'Up to 100 banners of the collection; with include=banners.',
  },
);

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
