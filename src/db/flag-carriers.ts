import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { computedNumber } from './relations.ts';
import { products } from './schema/catalog.ts';
import { categoryProducts } from './schema/categories.ts';
import { collectionProducts } from './schema/collections.ts';
import { flagRules, flags } from './schema/flags.ts';

/** How a rule that names no product leads to products. */
const ways = [
  { field: 'brands_ids', rule: flagRules.brand_id, ...via(products, products.brand_id) },
  {
    field: 'collections_ids',
    rule: flagRules.collection_id,
    ...via(collectionProducts, collectionProducts.collection_id, collectionProducts.product_id),
  },
  {
    field: 'categories_ids',
    rule: flagRules.category_id,
    ...via(categoryProducts, categoryProducts.category_id, categoryProducts.product_id),
  },
];

function via(table: SQLiteTable, key: AnySQLiteColumn, product: AnySQLiteColumn = products.id) {
  return { table, key, product };
}

/** The pairs of flag and product that one side names. D1 takes five terms in a row, so the sides are nested. */
function named(side: 'include' | 'exclude', of: SQL): SQL {
  const { flag_id, list, product_id } = flagRules;
  // The rules come first in each join, so that what is read grows with what they match.
  const led = ways.map(
    ({ field, rule, table, key, product }) => sql`select ${flag_id}, ${product}
      from ${flagRules} cross join ${table} on ${key} = ${rule}
      where ${flag_id} ${of} and ${list} = ${sql.raw(`'${side}.${field}'`)}`,
  );
  const own = sql`select ${flag_id} as flag_id, ${product_id} as product_id from ${flagRules}
    where ${flag_id} ${of} and ${list} in (${sql.raw(`'${side}_ids', '${side}.products_ids'`)})`;
  return sql.join([own, ...led], sql` union `);
}

/** Pairs of flag and product: what a flag includes less what it excludes. `of` says which flags, as `= 5`. */
const carriers = (of: SQL) =>
  sql`(${named('include', of)} except select flag_id, product_id from (${named('exclude', of)}))`;

/** Computed: how many active products carry a flag. */
export const totalCarriers = computedNumber(
  sql`(select count(*) from ${carriers(sql`= ${flags.id}`)} carried
    cross join ${products} on ${products.id} = carried.product_id
    where ${products.active} = 1 and ${products.store_id} = ${flags.store_id})`,
);

/** Says of a product that it carries any of these flags. */
export const carriesAny = (ids: readonly unknown[]) =>
  sql`${products.id} in (select product_id
    from ${carriers(sql`in (select value from json_each(${JSON.stringify(ids)}))`)})`;
