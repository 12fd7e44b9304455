import { getTableName, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { carriesAny } from './flag-carriers.ts';
import { categoryBanners, categoryProducts } from './schema/categories.ts';
import { collectionProducts } from './schema/collections.ts';
import type { StoreTable } from './table.ts';

interface Pairs {
  table: SQLiteTable;
  own: AnySQLiteColumn;
  other: AnySQLiteColumn;
}

/** Ids that a list can be narrowed by although they are no column: table and name, and where they stand or what they say. */
const linked = {
  'categories.banners_ids': {
    table: categoryBanners,
    own: categoryBanners.category_id,
    other: categoryBanners.banner_id,
  },
  'products.categories_ids': {
    table: categoryProducts,
    own: categoryProducts.product_id,
    other: categoryProducts.category_id,
  },
  'products.collections_ids': {
    table: collectionProducts,
    own: collectionProducts.product_id,
    other: collectionProducts.collection_id,
  },
  'products.flags_ids': carriesAny,
} satisfies Record<string, Pairs | typeof carriesAny>;

type NameIn<Key> = Key extends `${string}.${infer Name}` ? Name : never;

/** What a filter may name besides columns. */
export type LinkedColumn = NameIn<keyof typeof linked>;

const names = new Set(Object.keys(linked).map((key) => key.split('.')[1]));

/** Whether a name stands for links and not for a column. */
export const isLinked = (name: string) => names.has(name);

/** Says of a record that it is linked with any of these ids. */
export function linkedAny(table: StoreTable, name: string, ids: readonly unknown[]): SQL {
  const pairs = (linked as Record<string, Pairs | typeof carriesAny>)[
    `${getTableName(table)}.${name}`
  ];
  if (!pairs) throw new Error(`no links ${name}`);
  if (typeof pairs === 'function') return pairs(ids);
  return sql`${table.id} in (select ${pairs.own} from ${pairs.table}
    where ${pairs.other} in (select value from json_each(${JSON.stringify(ids)})))`;
}
