import { sql, type SQL } from 'drizzle-orm';
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { FieldErrors } from '../base/errors.ts';
import { rawStatement } from '../data/core/raw.ts';
import type { StoreDb } from '../data/core/store-db.ts';
import type { StoreTable } from '../data/core/store-table.ts';
import { findMissing, unknownIdErrors, type MissingId } from '../data/queries/references.ts';

/**
 * A table of rules. Each rule puts one record into one list of its owner (a flag or a collection).
 */
export interface RuleTable {
  table: SQLiteTable;
  owner: StoreTable;
  ownerId: AnySQLiteColumn;
  /** The column that says which list a rule belongs to. */
  list: AnySQLiteColumn;
}

/** A list of ids that was sent for an owner. */
export interface RuleList {
  /** Name of the field in the body. */
  field: string;
  noun: string;
  /** Value of `RuleTable.list`. */
  list: string;
  /** The table of the records in the list, and the column of the rule that holds their ids. */
  table: StoreTable;
  column: AnySQLiteColumn;
  ids: readonly number[];
}

/** Selects which ids of these lists the store has no record of. */
export const findMissingInLists = (db: StoreDb, lists: readonly RuleList[]) =>
  lists.map(({ table, ids }) => findMissing(db, table, ids));

/** The errors of the lists; `missing` holds the results of {@link findMissingInLists}. */
export const listErrors = (
  lists: readonly Pick<RuleList, 'field' | 'noun'>[],
  missing: readonly MissingId[][],
): FieldErrors =>
  Object.assign(
    {},
    ...lists.map(({ field, noun }, index) => unknownIdErrors(field, noun, missing[index] ?? [])),
  ) as FieldErrors;

/** Selects the owner, if it belongs to the store. */
export const ownerSubquery = (db: StoreDb, { owner }: RuleTable, id: SQL | number) =>
  sql`(select id from ${owner} where id = (${id}) and store_id = ${db.store.id})`;

/** Adds the rules of these lists to an owner. */
export const insertRulesStatements = (
  db: StoreDb,
  rules: RuleTable,
  id: SQL | number,
  lists: readonly RuleList[],
) =>
  lists
    .filter(({ ids }) => ids.length > 0)
    .map(({ list, table, column, ids }) =>
      rawStatement(
        db,
        sql`insert into ${rules.table} (${sql.identifier(rules.ownerId.name)},
            ${sql.identifier(rules.list.name)}, ${sql.identifier(column.name)})
          select own.id, ${list}, named.id from ${ownerSubquery(db, rules, id)} own, ${table} named
          where named.store_id = ${db.store.id}
            and named.id in (select value from json_each(${JSON.stringify(ids)}))`,
      ),
    );
