import { getTableName, is, sql, type Column, type SQL } from 'drizzle-orm';
import { alias, SQLiteBoolean, SQLiteTextJson } from 'drizzle-orm/sqlite-core';
import { rowColumns } from '../core/store-statements.ts';
import type { Row, StoreTable } from '../core/store-table.ts';

/**
 * A computed column. The SQL is nested once more. Drizzle drops the table names of columns at the top level of a
 * selected expression, so that a subquery would refer to its own columns.
 */
export const computedColumn = <T>(expression: SQL, decode: (value: never) => T): SQL<T> =>
  sql`${expression}`.mapWith({ mapFromDriverValue: decode as (value: unknown) => T });

/** A computed number. */
export const computedNumber = (expression: SQL) =>
  computedColumn(expression, (value: number) => value);

const aliasedTables = new WeakMap<StoreTable, string>();

/** A table under another name, for relations between records of one table. */
export function aliasTable<T extends StoreTable>(table: T, name: string): T {
  const aliased = alias(table, name) as unknown as T;
  aliasedTables.set(aliased, getTableName(table));
  return aliased;
}

/** The table as it is written after `from`. */
function fromClause(table: StoreTable): SQL {
  const original = aliasedTables.get(table);
  return original === undefined ? sql`${table}` : sql`${sql.identifier(original)} as ${table}`;
}

/** D1 allows 32 arguments to a function: the object so far, and fifteen pairs. */
const pairsPerCall = 15;

/** SQL of a record as a JSON object with the columns of a row. */
function jsonObject(table: StoreTable, extra: Record<string, SQL>): SQL {
  const pairs = [
    ...Object.values<Column>(rowColumns(table)).map((column) => [
      column.name,
      is(column, SQLiteTextJson) ? sql`json(${column})` : sql`${column}`,
    ]),
    ...Object.entries(extra),
  ] as [string, SQL][];
  let object: SQL = sql`json_object()`;
  for (let start = 0; start < pairs.length; start += pairsPerCall) {
    const chunk = pairs.slice(start, start + pairsPerCall);
    object = sql`json_set(${object}, ${sql.join(
      chunk.map(([name, value]) => sql`${sql.raw(`'$.${name}'`)}, ${value}`),
      sql`, `,
    )})`;
  }
  return object;
}

/** Returns the decoder of records that `jsonObject` built of a table. */
function recordDecoder<T extends StoreTable>(table: T) {
  let booleans: string[] | undefined;
  return (value: Record<string, unknown>): Row<T> => {
    booleans ??= Object.values<Column>(rowColumns(table))
      .filter((column) => is(column, SQLiteBoolean))
      .map(({ name }) => name);
    for (const name of booleans) if (value[name] !== null) value[name] = value[name] === 1;
    // The object has all columns of a row.
    return value as Row<T>;
  };
}

type Related<T extends StoreTable, E extends Record<string, SQL>> = Row<T> & {
  [K in keyof E]: E[K] extends SQL<infer V> ? V : never;
};

/** A to-one relation, selected with its owner in one statement: `{data: record}` or `{data: null}`. */
export function toOne<T extends StoreTable, const E extends Record<string, SQL> = {}>(
  table: T,
  where: SQL,
  extra?: E,
) {
  const record = sql`(select ${jsonObject(table, extra ?? {})} from ${fromClause(table)} where ${where})`;
  const decode = recordDecoder(table);
  // Drizzle does not decode a null column, so a missing record is the JSON text null.
  return computedColumn(sql`coalesce(${record}, 'null')`, (text: string) => {
    const value = JSON.parse(text) as Record<string, unknown> | null;
    return { data: value && (decode(value) as Related<T, E>) };
  });
}

/** A to-many relation, selected with its owner in one statement: `{data: [...]}`, at most 100, ordered by id or `order`. */
export function toMany<T extends StoreTable, const E extends Record<string, SQL> = {}>(
  table: T,
  where: SQL,
  extra?: E,
  order: Column = table.id,
) {
  const decode = recordDecoder(table);
  const rows = sql`select ${jsonObject(table, extra ?? {})} as record from ${fromClause(table)} where ${where} order by ${order} limit 100`;
  return computedColumn(
    sql`(select json_group_array(json(record)) from (${rows}))`,
    (text: string) => ({
      data: (JSON.parse(text) as Record<string, unknown>[]).map(
        (value) => decode(value) as Related<T, E>,
      ),
    }),
  );
}

/** The relations that the `include` of a query names. */
export const pickRelations = <R extends Record<string, SQL>>(
  relations: R,
  names: readonly string[],
): Partial<R> =>
  // Filtering entries does not change their types.
  Object.fromEntries(
    Object.entries(relations).filter(([name]) => names.includes(name)),
  ) as Partial<R>;
