import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { FieldErrors } from '../problem.ts';
import { rawStatement } from './raw.ts';
import { missing, unknownIds } from './references.ts';
import { computed } from './relations.ts';
import { brands, products } from './schema/catalog.ts';
import { categories } from './schema/categories.ts';
import { collections } from './schema/collections.ts';
import { flagLists, flagRules, flags } from './schema/flags.ts';
import type { StoreDb } from './store.ts';

/** A list of a flag, such as `include.brands_ids`. */
export type FlagList = (typeof flagLists)[number];

/** The ids in some of a flag's lists. */
export type FlagRules = Partial<Record<FlagList, readonly number[]>>;

const product = { noun: 'product', column: flagRules.product_id, table: products } as const;

/** What a list names: its last word tells. */
function kindOf(list: FlagList) {
  switch (list.split('.')[1]) {
    case 'brands_ids':
      return { noun: 'brand', column: flagRules.brand_id, table: brands } as const;
    case 'collections_ids':
      return { noun: 'collection', column: flagRules.collection_id, table: collections } as const;
    case 'categories_ids':
      return { noun: 'category', column: flagRules.category_id, table: categories } as const;
    default:
      return product;
  }
}

const listsIn = (rules: FlagRules) => flagLists.filter((list) => rules[list] !== undefined);
const namingIn = (rules: FlagRules) => listsIn(rules).filter((list) => rules[list]?.length);

/** Reads which named records the store has not; {@link ruleErrors} says it by field. */
export const missingOfRules = (db: StoreDb, rules: FlagRules) =>
  namingIn(rules).map((list) => missing(db, kindOf(list).table, rules[list] ?? []));

/** The errors of what {@link missingOfRules} read, in its order. */
export const ruleErrors = (rules: FlagRules, missed: readonly { place: number }[][]): FieldErrors =>
  Object.assign(
    {},
    ...namingIn(rules).map((list, at) => unknownIds(list, kindOf(list).noun, missed[at] ?? [])),
  ) as FieldErrors;

/** Makes each of these lists of a flag name these records and no others; its other lists stay. */
export const ruling = (db: StoreDb, flag: SQL | number, rules: FlagRules) => {
  const own = sql`(select id from ${flags} where id = (${flag}) and store_id = ${db.store.id})`;
  return [
    rawStatement(
      db,
      sql`delete from ${flagRules} where flag_id in ${own}
        and list in (select value from json_each(${JSON.stringify(listsIn(rules))}))`,
    ),
    ...namingIn(rules).map((list) => {
      const { column, table } = kindOf(list);
      return rawStatement(
        db,
        sql`insert into ${flagRules} (flag_id, list, ${sql.identifier(column.name)})
          select own.id, ${list}, named.id from ${own} own, ${table} named
          where named.store_id = ${db.store.id}
            and named.id in (select value from json_each(${JSON.stringify(rules[list])}))`,
      );
    }),
  ];
};

const { flag_id, list, product_id, brand_id, collection_id, category_id } = flagRules;

/** Computed: what the lists of a flag name, ids ascending; a list that names nothing is left out. */
export const rulesOfFlag = computed(
  sql`(select json_group_object(list, json(ids)) from (select list, json_group_array(id) as ids
    from (select ${list} as list,
      coalesce(${product_id}, ${brand_id}, ${collection_id}, ${category_id}) as id
      from ${flagRules} where ${flag_id} = ${flags.id} order by 1, 2) group by list))`,
  (text: string) => JSON.parse(text) as FlagRules,
);
