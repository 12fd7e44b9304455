import { eq, sql } from 'drizzle-orm';
import { bannersOfCollection, linkedTo, productsOfCollection } from '../../db/links.ts';
import { calling, chosen, computedNumber, many, one } from '../../db/relations.ts';
import { restrictionsOf, type Restrictions } from '../../db/restrictions.ts';
import { banners, collectionProducts, collections, products } from '../../db/schema/store.ts';
import type { StoreDb } from '../../db/store.ts';
import type { Row } from '../../db/table.ts';
import { countdownEnd, isExpired } from '../../wire/period.ts';
import { presentBanner } from './banner-row.ts';
import { present as presentProduct } from './product-reading.ts';

type Collections = typeof collections;

/** What is computed with each collection. */
export const collectionExtras = (table: Collections) => ({
  total_products: computedNumber(
    sql`(select count(*) from ${collectionProducts} where ${collectionProducts.collection_id} = ${table.id})`,
  ),
  restrictions: restrictionsOf(table),
});

const parents = calling(collections, 'parents');
const children = calling(collections, 'children');

const relations = {
  parent: one(parents, eq(parents.id, collections.parent_id), collectionExtras(parents)),
  children: many(children, eq(children.parent_id, collections.id), collectionExtras(children)),
  products: many(products, linkedTo(productsOfCollection, collections.id)),
  banners: many(banners, linkedTo(bannersOfCollection, collections.id)),
};

/** The names that `include` knows. */
export const collectionIncludes = ['products', 'banners', 'parent', 'children'] as const;

/** What is read with a collection for a query's `include`. */
export const readWithCollection = (
  names: readonly string[],
): ReturnType<typeof collectionExtras> & Partial<typeof relations> => ({
  ...collectionExtras(collections),
  ...chosen(relations, names),
});

type Computed = Row<Collections> & { total_products: number; restrictions: Restrictions | null };

const namesAnything = (restrictions: Restrictions | null) =>
  Object.values(restrictions ?? {}).some((side) =>
    Object.values(side as Restrictions['include']).some((ids) => ids.length > 0),
  );

/** Adds what follows from the store, the moment and the collection. */
export const presentCollection = ({ store, now }: StoreDb, collection: Computed) => {
  const path = `/collections/${collection.slug}`;
  return {
    ...collection,
    path,
    url: collection.url ?? `${store.base_url}${path}`,
    expired: isExpired(collection, now),
    restriced: namesAnything(collection.restrictions),
    expire_in: collection.end_at,
    stopwatch_expires_in: countdownEnd(collection, now, store.zone),
  };
};

type Read = Computed & {
  parent?: { data: Computed | null };
  children?: { data: Computed[] };
  products?: { data: Row<typeof products>[] };
  banners?: { data: Row<typeof banners>[] };
};

/** A collection as it was read, with the relations that were read along. */
export function shownCollection(db: StoreDb, read: Read) {
  const { parent, children, products, banners, ...collection } = read;
  const present = (one: Computed) => presentCollection(db, one);
  return {
    ...present(collection),
    ...(parent && { parent: { data: parent.data && present(parent.data) } }),
    ...(children && { children: { data: children.data.map(present) } }),
    ...(products && {
      products: { data: products.data.map((one) => presentProduct(db.store, one)) },
    }),
    ...(banners && { banners: { data: banners.data.map((one) => presentBanner(db, one)) } }),
  };
}
