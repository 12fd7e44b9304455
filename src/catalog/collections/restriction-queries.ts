import { and, eq, isNotNull, or, sql, type SQL } from 'drizzle-orm';
import type { FieldErrors } from '../../base/errors.ts';
import { rawStatement } from '../../data/core/raw.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { MissingId } from '../../data/queries/references.ts';
import { computedColumn } from '../../data/queries/relations.ts';
import { brands, products } from '../../data/schema/store/catalog-tables.ts';
import { categories } from '../../data/schema/store/categories-tables.ts';
import { collectionRules, collections } from '../../data/schema/store/collections-tables.ts';
import {
  findMissingInLists,
  insertRulesStatements,
  listErrors,
  ownerSubquery,
  type RuleList,
  type RuleTable,
} from '../rule-list-queries.ts';

/** The ids in one side of the restrictions. */
interface RestrictionIds {
  products_ids: number[];
  brands_ids: number[];
  categories_ids: number[];
}

/** The records that a collection includes and excludes. */
export interface Restrictions {
  include: RestrictionIds;
  exclude: RestrictionIds;
}

/** The lists of restrictions that a request sets. */
type SentRestrictions = {
  [Side in keyof Restrictions]?: Partial<RestrictionIds> | undefined;
};

const ruleTable: RuleTable = {
  table: collectionRules,
  owner: collections,
  ownerId: collectionRules.collection_id,
  list: collectionRules.side,
};

const sides = ['include', 'exclude'] as const;
const kinds = [
  { field: 'products_ids', noun: 'product', column: collectionRules.product_id, table: products },
  { field: 'brands_ids', noun: 'brand', column: collectionRules.brand_id, table: brands },
  {
    field: 'categories_ids',
    noun: 'category',
    column: collectionRules.category_id,
    table: categories,
  },
] as const;

const listsOf = (restrictions: SentRestrictions | null | undefined): RuleList[] =>
  sides.flatMap((side) =>
    kinds.map(({ field, noun, column, table }) => ({
      field: `restrictions.${side}.${field}`,
      list: side,
      ids: restrictions?.[side]?.[field] ?? [],
      noun,
      column,
      table,
    })),
  );

/** Selects which ids of the restrictions the store has no record of. */
export const findMissingInRestrictions = (
  db: StoreDb,
  restrictions: SentRestrictions | null | undefined,
) => findMissingInLists(db, listsOf(restrictions));

/**
 * The errors of the restrictions; `missing` holds the results of {@link findMissingInRestrictions}.
 */
export const restrictionErrors = (missing: readonly MissingId[][]): FieldErrors =>
  listErrors(listsOf(null), missing);

/** Replaces the lists of a collection that were sent; the others stay. Null removes all. */
export const setRestrictionsStatements = (
  db: StoreDb,
  collection: SQL | number,
  restrictions: SentRestrictions | null,
) => [
  rawStatement(
    db,
    sql`delete from ${collectionRules}
      where collection_id in ${ownerSubquery(db, ruleTable, collection)}
        and (${restrictions ? isInSentList(restrictions) : sql`true`})`,
  ),
  ...insertRulesStatements(db, ruleTable, collection, listsOf(restrictions)),
];

/** The condition that a rule belongs to a list that was sent. */
const isInSentList = (restrictions: SentRestrictions) =>
  or(
    ...sides.flatMap((side) =>
      kinds
        .filter(({ field }) => restrictions[side]?.[field] !== undefined)
        .map(({ column }) => and(eq(collectionRules.side, side), isNotNull(column))),
    ),
  ) ?? sql`false`;

const idsOf = (side: string, column: (typeof kinds)[number]['column']) =>
  sql`json((select json_group_array(id) from (select ${column} as id from ${collectionRules}
    where ${collectionRules.side} = ${side} and ${column} is not null
      and ${collectionRules.collection_id} = ${restrictedId} order by 1)))`;

const restrictedId = sql.raw('"restricted"."id"');

/** Computed column: the restrictions of a collection, or null. */
export const restrictionsOf = (table: typeof collections) => {
  const [include, exclude] = sides.map(
    (side) =>
      sql`json_object(${sql.join(
        kinds.map(({ field, column }) => sql`${sql.raw(`'${field}'`)}, ${idsOf(side, column)}`),
        sql`, `,
      )})`,
  );
  return computedColumn(
    sql`json(coalesce((select json_object('include', ${include}, 'exclude', ${exclude})
      from ${collections} restricted where restricted.id = ${table.id} and restricted.restricted = 1), 'null'))`,
    (text: string) => JSON.parse(text) as Restrictions | null,
  );
};
