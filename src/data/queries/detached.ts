import { eq, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { rawStatement } from '../core/raw.ts';
import type { Statement } from '../core/statement.ts';
import type { StoreDb } from '../core/store-db.ts';
import type { StoreTable } from '../core/store-table.ts';
import { banners } from '../schema/store/banners-tables.ts';
import { cartItems } from '../schema/store/carts-tables.ts';
import { brands, products, skus } from '../schema/store/catalog-tables.ts';
import {
  categories,
  categoryBanners,
  categoryFilterValues,
  categoryProducts,
  filters,
  filterValues,
} from '../schema/store/categories-tables.ts';
import {
  collectionBanners,
  collectionProducts,
  collectionRules,
  collections,
  feeds,
} from '../schema/store/collections-tables.ts';
import { flagRules } from '../schema/store/flags-tables.ts';
import {
  bundleItems,
  customizationProducts,
  productComments,
} from '../schema/store/product-extras-tables.ts';

/**
 * Those that refer to records of a table: their noun in a warning, and the column with the id. It
 * may be that of a part `of` the record.
 */
type Dependants = readonly (readonly [
  noun: string,
  column: SQLiteColumn,
  of?: { part: SQLiteColumn; owner: SQLiteColumn },
])[];

const [restrictions, rules] = ['restrictions of collections', 'rules of flags'];
const skuOf = { part: skus.id, owner: skus.product_id };

/**
 * Those that lose something when a record is deleted, by the table of the record. Its own parts are
 * not counted.
 */
export const dependantsOf: ReadonlyMap<StoreTable, Dependants> = new Map<StoreTable, Dependants>([
  [
    brands,
    [
      ['products', products.brand_id],
      [restrictions, collectionRules.brand_id],
      [rules, flagRules.brand_id],
    ],
  ],
  [
    categories,
    [
      ['products', categoryProducts.category_id],
      ['categories below it', categories.parent_id],
      ['banners', categoryBanners.category_id],
      ['values of filters', categoryFilterValues.category_id],
      [restrictions, collectionRules.category_id],
      [rules, flagRules.category_id],
    ],
  ],
  [
    collections,
    [
      ['products', collectionProducts.collection_id],
      ['collections below it', collections.parent_id],
      ['banners', collectionBanners.collection_id],
      ['feeds', feeds.collection_id],
      [rules, flagRules.collection_id],
    ],
  ],
  [
    filters,
    [
      [
        'categories',
        categoryFilterValues.filter_value_id,
        { part: filterValues.id, owner: filterValues.filter_id },
      ],
    ],
  ],
  [filterValues, [['categories', categoryFilterValues.filter_value_id]]],
  [
    banners,
    [
      ['categories', categoryBanners.banner_id],
      ['collections', collectionBanners.banner_id],
    ],
  ],
  [
    products,
    [
      ['categories', categoryProducts.product_id],
      ['collections', collectionProducts.product_id],
      ['banners', banners.product_id],
      ['comments', productComments.product_id],
      ['customizations', customizationProducts.product_id],
      [restrictions, collectionRules.product_id],
      [rules, flagRules.product_id],
      ['items of carts', cartItems.sku_id, skuOf],
      ['items of bundles', bundleItems.sku_id, skuOf],
    ],
  ],
  [
    skus,
    [
      ['items of carts', cartItems.sku_id],
      ['items of bundles', bundleItems.sku_id],
    ],
  ],
]);

/** At most so many of a kind are counted. */
const maxCounted = 1_000;

/** Those that lost something with a record that was deleted, by their noun. */
export type Detached = Readonly<Record<string, number>>;

/**
 * A statement before the deletion of a record, in its batch. Its only row counts what will lose
 * something, as `detached`.
 */
export function countDetachedStatement(db: StoreDb, table: StoreTable, id: number) {
  const counts = (dependantsOf.get(table) ?? []).map(([noun, column, of]) => {
    const holders = of
      ? sql`in (select ${of.part} from ${of.part.table} where ${of.owner} = ${id})`
      : sql`= ${id}`;
    return sql`${noun}, (select count(*) from (select 1 from ${column.table} where ${column} ${holders} limit ${maxCounted}))`;
  });
  return rawStatement<{ detached: string }>(
    db,
    sql`select json_object(${sql.join(counts, sql`, `)}) as detached`,
  );
}

/** Reads the row of {@link countDetachedStatement}. */
export const readDetached = ([row]: readonly { detached: string }[]): { detached: Detached } => ({
  detached: JSON.parse(row?.detached ?? '{}') as Detached,
});

/**
 * Deletes a record as `db.remove` does, and counts in the same batch what lost something with it.
 * One round trip.
 */
export async function removeCounted(
  db: StoreDb,
  table: StoreTable,
  id: number,
  first: readonly Statement[] = [],
) {
  const results: readonly unknown[] = await db.batch([
    countDetachedStatement(db, table, id),
    ...first,
    db.deleteStatement(table, eq(table.id, id)),
  ]);
  const [deleted] = results.at(-1) as { id: number }[];
  return deleted && readDetached(results[0] as { detached: string }[]);
}

/** Says what lost something; `undefined` if nothing did. */
export function warnOfDetached({ detached }: { detached: Detached }): string | undefined {
  const lost = Object.entries(detached).flatMap(([noun, count]) =>
    count === 0 ? [] : `${noun} ${count === maxCounted ? `${count} or more` : count}`,
  );
  return lost.length === 0
    ? undefined
    : `What referred to the deleted record lost it: ${lost.join(', ')}`;
}
