import { sql, type SQL } from 'drizzle-orm';
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { RecordSet } from '../../data/lists/record-source.ts';
import { computedNumber } from '../../data/queries/relations.ts';
import { products } from '../../data/schema/store/catalog-tables.ts';
import { categoryProducts } from '../../data/schema/store/categories-tables.ts';
import { collectionProducts } from '../../data/schema/store/collections-tables.ts';
import { flagRules, flags } from '../../data/schema/store/flags-tables.ts';

/** How a rule that names a brand, collection or category leads to products. */
const indirectRules = [
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

/**
 * The pairs of flag and product that one side selects. D1 allows five terms of a compound select,
 * so the sides are nested.
 */
function selectedPairs(side: 'include' | 'exclude', of: SQL): SQL {
  const { flag_id, list, product_id } = flagRules;
  // The rules come first in each join, so that the rows read grow with the products that match.
  const indirect = indirectRules.map(
    ({ field, rule, table, key, product }) => sql`select ${flag_id}, ${product}
      from ${flagRules} cross join ${table} on ${key} = ${rule}
      where ${flag_id} ${of} and ${list} = ${sql.raw(`'${side}.${field}'`)}`,
  );
  const direct = sql`select ${flag_id} as flag_id, ${product_id} as product_id from ${flagRules}
    where ${flag_id} ${of} and ${list} in (${sql.raw(`'${side}_ids', '${side}.products_ids'`)})`;
  return sql.join([direct, ...indirect], sql` union `);
}

/**
 * Pairs of flag and product: the included products except the excluded ones. `of` selects flags,
 * such as `= 5`.
 */
const flaggedProducts = (of: SQL) =>
  sql`(${selectedPairs('include', of)} except select flag_id, product_id from (${selectedPairs('exclude', of)}))`;

/** Computed column: the number of active products that have a flag. */
export const flaggedProductCount = computedNumber(
  sql`(select count(*) from ${flaggedProducts(sql`= ${flags.id}`)} flagged
    cross join ${products} on ${products.id} = flagged.product_id
    where ${products.active} = 1 and ${products.store_id} = ${flags.store_id})`,
);

/** The products that have any of these flags. */
export function hasAnyFlag(ids: readonly unknown[]): RecordSet {
  const flagged = flaggedProducts(sql`in (select value from json_each(${JSON.stringify(ids)}))`);
  return {
    holds: sql`${products.id} in (select product_id from ${flagged})`,
    source: {
      key: sql`product_id`,
      scale: 1,
      from: flagged,
      where: sql`true`,
      isById: false,
      isExact: false,
    },
  };
}
