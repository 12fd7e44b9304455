import { sql, type SQL } from 'drizzle-orm';
import type { FieldErrors } from '../../base/errors.ts';
import { rawStatement } from '../../data/core/raw.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { MissingId } from '../../data/queries/references.ts';
import { computedColumn } from '../../data/queries/relations.ts';
import { brands, products } from '../../data/schema/store/catalog-tables.ts';
import { categories } from '../../data/schema/store/categories-tables.ts';
import { collections } from '../../data/schema/store/collections-tables.ts';
import { flagLists, flagRules, flags } from '../../data/schema/store/flags-tables.ts';
import {
  findMissingInLists,
  insertRulesStatements,
  listErrors,
  ownerSubquery,
  type RuleList,
  type RuleTable,
} from '../rule-list-queries.ts';

/** The name of a list of a flag, such as `include.brands_ids`. */
type FlagList = (typeof flagLists)[number];

/** The ids in some of the lists of a flag. */
export type FlagRules = Partial<Record<FlagList, readonly number[]>>;

const ruleTable: RuleTable = {
  table: flagRules,
  owner: flags,
  ownerId: flagRules.flag_id,
  list: flagRules.list,
};

const product = { noun: 'product', column: flagRules.product_id, table: products } as const;

/** Returns what the ids of a list refer to, from the part of its name after the dot. */
function targetOf(list: FlagList) {
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

const sentLists = (rules: FlagRules) => flagLists.filter((list) => rules[list] !== undefined);

const nonEmptyLists = (rules: FlagRules): RuleList[] =>
  sentLists(rules)
    .map((list) => ({ field: list, list, ids: rules[list] ?? [], ...targetOf(list) }))
    .filter(({ ids }) => ids.length > 0);

/** Selects which ids of the rules the store has no record of. */
export const findMissingInRules = (db: StoreDb, rules: FlagRules) =>
  findMissingInLists(db, nonEmptyLists(rules));

/** The errors of the rules; `missing` holds the results of {@link findMissingInRules}. */
export const ruleErrors = (rules: FlagRules, missing: readonly MissingId[][]): FieldErrors =>
  listErrors(nonEmptyLists(rules), missing);

/** Replaces the content of each list that was sent; the other lists of the flag stay. */
export const setFlagRulesStatements = (db: StoreDb, flag: SQL | number, rules: FlagRules) => [
  rawStatement(
    db,
    sql`delete from ${flagRules} where flag_id in ${ownerSubquery(db, ruleTable, flag)}
      and list in (select value from json_each(${JSON.stringify(sentLists(rules))}))`,
  ),
  ...insertRulesStatements(db, ruleTable, flag, nonEmptyLists(rules)),
];

const { flag_id, list, product_id, brand_id, collection_id, category_id } = flagRules;

/** Computed column: the lists of a flag with their ids, ascending. An empty list is omitted. */
export const rulesOfFlag = computedColumn(
  sql`(select json_group_object(list, json(ids)) from (select list, json_group_array(id) as ids
    from (select ${list} as list,
      coalesce(${product_id}, ${brand_id}, ${collection_id}, ${category_id}) as id
      from ${flagRules} where ${flag_id} = ${flags.id} order by 1, 2) group by list))`,
  (text: string) => JSON.parse(text) as FlagRules,
);
