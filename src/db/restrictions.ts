import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { FieldErrors } from '../problem.ts';
import { rawStatement } from './raw.ts';
import { missing, unknownIds } from './references.ts';
import { computed } from './relations.ts';
import { brands, products } from './schema/catalog.ts';
import { categories } from './schema/categories.ts';
import { collectionRules, collections } from './schema/collections.ts';
import type { StoreDb } from './store.ts';

/** What one side of the restrictions names. */
export interface Named {
  products_ids: number[];
  brands_ids: number[];
  categories_ids: number[];
}

/** What a collection takes and what it leaves out. */
export interface Restrictions {
  include: Named;
  exclude: Named;
}

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
const lists = sides.flatMap((side) => kinds.map((kind) => ({ side, ...kind })));

/** Reads which named records the store has not; {@link restrictionErrors} says it by field. */
export const missingOfRestrictions = (db: StoreDb, restrictions: Restrictions | null | undefined) =>
  lists.map(({ side, field, table }) => missing(db, table, restrictions?.[side][field] ?? []));

/** The errors of what {@link missingOfRestrictions} read, in its order. */
export const restrictionErrors = (missed: readonly { place: number }[][]): FieldErrors =>
  Object.assign(
    {},
    ...lists.map(({ side, field, noun }, index) =>
      unknownIds(`restrictions.${side}.${field}`, noun, missed[index] ?? []),
    ),
  ) as FieldErrors;

/** Makes what the restrictions of a collection name these records and no others. */
export const restricting = (
  db: StoreDb,
  collection: SQL | number,
  restrictions: Restrictions | null,
) => {
  const own = sql`(select id from ${collections} where id = (${collection}) and store_id = ${db.store.id})`;
  return [
    rawStatement(db, sql`delete from ${collectionRules} where collection_id in ${own}`),
    ...lists.flatMap(({ side, field, column, table }) => {
      const ids = restrictions?.[side][field] ?? [];
      if (ids.length === 0) return [];
      return rawStatement(
        db,
        sql`insert into ${collectionRules} (collection_id, side, ${sql.identifier(column.name)})
          select own.id, ${side}, named.id from ${own} own, ${table} named
          where named.store_id = ${db.store.id}
            and named.id in (select value from json_each(${JSON.stringify(ids)}))`,
      );
    }),
  ];
};

const idsOf = (side: string, column: (typeof kinds)[number]['column']) =>
  sql`json((select json_group_array(id) from (select ${column} as id from ${collectionRules}
    where ${collectionRules.side} = ${side} and ${column} is not null
      and ${collectionRules.collection_id} = ${restrictedId} order by 1)))`;

const restrictedId = sql.raw('"restricted"."id"');

/** Computed: the restrictions of a collection, or null. */
export const restrictionsOf = (table: typeof collections) => {
  const [include, exclude] = sides.map(
    (side) =>
      sql`json_object(${sql.join(
        kinds.map(({ field, column }) => sql`${sql.raw(`'${field}'`)}, ${idsOf(side, column)}`),
        sql`, `,
      )})`,
  );
  return computed(
    sql`json(coalesce((select json_object('include', ${include}, 'exclude', ${exclude})
      from ${collections} restricted where restricted.id = ${table.id} and restricted.restricted = 1), 'null'))`,
    (text: string) => JSON.parse(text) as Restrictions | null,
  );
};
