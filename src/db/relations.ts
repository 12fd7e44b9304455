import { getTableColumns, getTableName, is, sql } from 'drizzle-orm';
import type { Column, SQL } from 'drizzle-orm';
import { alias, SQLiteBoolean, SQLiteTextJson } from 'drizzle-orm/sqlite-core';
import type { Row, StoreTable } from './table.ts';

/**
 * A computed column. The SQL is nested once more, because Drizzle drops the table names of the columns at the
 * top level of a selected expression, and a subquery then means its own columns.
 */
export const computed = <T>(expression: SQL, decode: (value: never) => T): SQL<T> =>
  sql`${expression}`.mapWith({ mapFromDriverValue: decode as (value: unknown) => T });

/** A computed number. */
export const computedNumber = (expression: SQL) => computed(expression, (value: number) => value);

const originals = new WeakMap<StoreTable, string>();

/** A table under another name, for relations of its records among themselves. */
export function calling<T extends StoreTable>(table: T, name: string): T {
  const called = alias(table, name) as unknown as T;
  originals.set(called, getTableName(table));
  return called;
}

/** The table as `from` names it. */
function source(table: StoreTable): SQL {
  const original = originals.get(table);
  return original === undefined ? sql`${table}` : sql`${sql.identifier(original)} as ${table}`;
}

/** D1 allows 32 arguments to a function: fifteen pairs and, from the second call on, what came before. */
const pairsPerCall = 15;

/** A record of the table as a JSON object, all columns included. */
function jsonObject(table: StoreTable, extra: Record<string, SQL>): SQL {
  const pairs = [
    ...Object.values<Column>(getTableColumns(table)).map((column) => [
      column.name,
      is(column, SQLiteTextJson) ? sql`json(${column})` : sql`${column}`,
    ]),
    ...Object.entries(extra),
  ] as [string, SQL][];
  let object: SQL = sql`json_object()`;
  for (let start = 0; start < pairs.length; start += pairsPerCall) {
    const some = pairs.slice(start, start + pairsPerCall);
    object = sql`json_set(${object}, ${sql.join(
      some.map(([name, value]) => sql`${sql.raw(`'$.${name}'`)}, ${value}`),
      sql`, `,
    )})`;
  }
  return object;
}

function revive<T extends StoreTable>(table: T, value: Record<string, unknown>): Row<T> {
  for (const column of Object.values<Column>(getTableColumns(table))) {
    if (is(column, SQLiteBoolean) && value[column.name] !== null) {
      value[column.name] = value[column.name] === 1;
    }
  }
  // The object was made by `jsonObject` of the same table, so it has that table's columns.
  return value as Row<T>;
}

type Related<T extends StoreTable, E extends Record<string, SQL>> = Row<T> & {
  [K in keyof E]: E[K] extends SQL<infer V> ? V : never;
};

/** A to-one relation, read with its owner in one statement: `{data: record}` or `{data: null}`. */
export function one<T extends StoreTable, const E extends Record<string, SQL> = {}>(
  table: T,
  where: SQL,
  extra?: E,
) {
  const found = sql`(select ${jsonObject(table, extra ?? {})} from ${source(table)} where ${where})`;
  // A null column would not be decoded at all, so that there is none is said in JSON.
  return computed(sql`coalesce(${found}, 'null')`, (text: string) => {
    const value = JSON.parse(text) as Record<string, unknown> | null;
    return { data: value && (revive(table, value) as Related<T, E>) };
  });
}

/** A to-many relation, read with its owner in one statement: `{data: [...]}`, at most 100, by id or another column. */
export function many<T extends StoreTable, const E extends Record<string, SQL> = {}>(
  table: T,
  where: SQL,
  extra?: E,
  order: Column = table.id,
) {
  const rows = sql`select ${jsonObject(table, extra ?? {})} as record from ${source(table)} where ${where} order by ${order} limit 100`;
  return computed(sql`(select json_group_array(json(record)) from (${rows}))`, (text: string) => ({
    data: (JSON.parse(text) as Record<string, unknown>[]).map(
      (value) => revive(table, value) as Related<T, E>,
    ),
  }));
}

/** Those of the relations that a query's `include` names. */
export const chosen = <R extends Record<string, SQL>>(
  relations: R,
  names: readonly string[],
): Partial<R> =>
  // What is left of the entries has the types that it had.
  Object.fromEntries(
    Object.entries(relations).filter(([name]) => names.includes(name)),
  ) as Partial<R>;
