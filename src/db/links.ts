import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { rawStatement } from './raw.ts';
import { computed } from './relations.ts';
import { banners } from './schema/banners.ts';
import { products } from './schema/catalog.ts';
import {
  categories,
  categoryBanners,
  categoryFilterValues,
  categoryProducts,
} from './schema/categories.ts';
import { collectionBanners, collectionProducts, collections } from './schema/collections.ts';
import { filterValues } from './schema/filters.ts';
import type { StoreDb } from './store.ts';
import type { StoreTable } from './table.ts';

/** A table of pairs of ids. It has no store of its own: both ends are looked up in the store, always. */
export interface Link {
  table: SQLiteTable;
  owner: StoreTable;
  ownerId: AnySQLiteColumn;
  linked: StoreTable;
  linkedId: AnySQLiteColumn;
}

export const productsOfCategory = {
  table: categoryProducts,
  owner: categories,
  ownerId: categoryProducts.category_id,
  linked: products,
  linkedId: categoryProducts.product_id,
} satisfies Link;

export const categoriesOfProduct = {
  table: categoryProducts,
  owner: products,
  ownerId: categoryProducts.product_id,
  linked: categories,
  linkedId: categoryProducts.category_id,
} satisfies Link;

export const bannersOfCategory = {
  table: categoryBanners,
  owner: categories,
  ownerId: categoryBanners.category_id,
  linked: banners,
  linkedId: categoryBanners.banner_id,
} satisfies Link;

export const filterValuesOfCategory = {
  table: categoryFilterValues,
  owner: categories,
  ownerId: categoryFilterValues.category_id,
  linked: filterValues,
  linkedId: categoryFilterValues.filter_value_id,
} satisfies Link;

export const productsOfCollection = {
  table: collectionProducts,
  owner: collections,
  ownerId: collectionProducts.collection_id,
  linked: products,
  linkedId: collectionProducts.product_id,
} satisfies Link;

export const bannersOfCollection = {
  table: collectionBanners,
  owner: collections,
  ownerId: collectionBanners.collection_id,
  linked: banners,
  linkedId: collectionBanners.banner_id,
} satisfies Link;

/** Ids of a request as one parameter. */
export const idList = (ids: readonly number[]) =>
  sql`(select value from json_each(${JSON.stringify(ids)}))`;

const ofStore = (db: StoreDb, table: StoreTable, ids: SQL) =>
  sql`(select ${table.id} from ${table} where ${table.store_id} = ${db.store.id} and ${table.id} in ${ids})`;

/** The id of the record that this batch added last to a table (ids only grow). */
export const newestOf = (db: StoreDb, table: StoreTable) =>
  sql`(select max(${table.id}) from ${table} where ${table.store_id} = ${db.store.id})`;

const pairs = ({ table, ownerId, linkedId }: Link) =>
  sql`insert into ${table} (${sql.identifier(ownerId.name)}, ${sql.identifier(linkedId.name)})`;

/** Links a record with others of the store; those that are linked stay so. */
export const linking = (db: StoreDb, link: Link, owner: SQL | number, ids: readonly number[]) =>
  rawStatement(
    db,
    sql`${pairs(link)} select one.id, other.id
      from ${ofStore(db, link.owner, sql`(${owner})`)} one, ${ofStore(db, link.linked, idList(ids))} other
      where true on conflict do nothing`,
  );

/** Removes links of a record with others. */
export const unlinking = (db: StoreDb, link: Link, owner: number, ids: readonly number[]) =>
  rawStatement(
    db,
    sql`delete from ${link.table} where ${link.ownerId} in ${ofStore(db, link.owner, sql`(${owner})`)}
      and ${link.linkedId} in ${idList(ids)}`,
  );

/** Makes the links of a record these and no others. */
export const relinking = (db: StoreDb, link: Link, owner: SQL | number, ids: readonly number[]) => [
  rawStatement(
    db,
    sql`delete from ${link.table} where ${link.ownerId} in ${ofStore(db, link.owner, sql`(${owner})`)}
      and ${link.linkedId} not in ${idList(ids)}`,
  ),
  linking(db, link, owner, ids),
];

/** The same when it is linked with others than these now; nothing when none were sent. */
export function relinkingIfOther(
  db: StoreDb,
  link: Link,
  owner: number,
  before: readonly number[] | undefined,
  sent: readonly number[] | undefined,
) {
  if (!sent) return [];
  const ids = sent.toSorted((one, other) => one - other);
  return JSON.stringify(before) === JSON.stringify(ids) ? [] : relinking(db, link, owner, ids);
}

/** Links a record with all that other records of its kind are linked with. */
export const copying = (db: StoreDb, link: Link, owner: number, sources: readonly number[]) =>
  rawStatement(
    db,
    sql`${pairs(link)} select distinct one.id, ${link.linkedId}
      from ${ofStore(db, link.owner, sql`(${owner})`)} one, ${link.table}
      where ${link.ownerId} in ${ofStore(db, link.owner, idList(sources))} on conflict do nothing`,
  );

/** Says of a record that it is linked to the owner. */
export const linkedTo = (link: Link, owner: SQL | AnySQLiteColumn | number) =>
  sql`${link.linked.id} in (select ${link.linkedId} from ${link.table} where ${link.ownerId} = ${owner})`;

/** Computed: the ids that a record is linked with, ascending. */
export const linkedIds = (link: Link, owner: StoreTable) =>
  computed(
    sql`json((select json_group_array(id) from (select ${link.linkedId} as id from ${link.table}
      where ${link.ownerId} = ${owner.id} order by 1)))`,
    (text: string) => JSON.parse(text) as number[],
  );

/** Says that a record is linked with anything else than these ids. */
export const linksDiffer = (link: Link, owner: number, ids: readonly number[]) =>
  sql`(select json_group_array(id) from (select ${link.linkedId} as id from ${link.table}
    where ${link.ownerId} = ${owner} order by 1)) <> ${JSON.stringify(ids.toSorted((a, b) => a - b))}`;
