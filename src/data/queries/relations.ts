import { getTableName, is, sql, type Column, type SQL } from 'drizzle-orm';
import { alias, SQLiteBoolean, SQLiteTextJson } from 'drizzle-orm/sqlite-core';
import { rowColumns } from '../core/store-statements.ts';
import type { Row, StoreTable } from '../core/store-table.ts';

/**
 * A computed column. The SQL is nested once more. Drizzle drops the table names of columns at the
 * top level of a selected expression, so that a subquery would refer to its own columns.
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

/** D1 allows 32 arguments to a function. */
const valuesPerCall = 32;

interface RecordColumn {
  name: string;
  value: SQL;
  /** Decodes a value that is not null. */
  decode?: (value: never) => unknown;
}

/** The decoders of relations, from parsed JSON. */
const relationDecoders = new WeakMap<SQL, (value: never) => unknown>();

/** A computed column whose text is JSON, alone or nested in a relation. */
function relation<T>(expression: SQL, decode: (value: never) => T): SQL<T> {
  const column = computedColumn(expression, (text: string) => decode(JSON.parse(text) as never));
  relationDecoders.set(column, decode);
  return column;
}

/** The columns of a row, and `extra` ones, which may be relations. */
const recordColumns = (table: StoreTable, extra: Record<string, SQL>): RecordColumn[] => [
  ...Object.values<Column>(rowColumns(table)).map((column) => ({
    name: column.name,
    value: is(column, SQLiteTextJson) ? sql`json(${column})` : sql`${column}`,
    ...(is(column, SQLiteBoolean) && { decode: (value: number) => value === 1 }),
  })),
  ...Object.entries(extra).map(([name, value]) => {
    const decode = relationDecoders.get(value);
    return decode ? { name, value: sql`json(${value})`, decode } : { name, value };
  }),
];

/**
 * SQL of a record as JSON arrays of its values, up to 32 in each. Objects would repeat every name
 * in every record, which takes twice as long to write and to read.
 */
function jsonRecord(columns: readonly RecordColumn[]): SQL {
  const calls: SQL[] = [];
  for (let start = 0; start < columns.length; start += valuesPerCall) {
    const values = columns.slice(start, start + valuesPerCall).map(({ value }) => value);
    calls.push(sql`json_array(${sql.join(values, sql`, `)})`);
  }
  return sql`json_array(${sql.join(calls, sql`, `)})`;
}

/** Returns the record that `jsonRecord` wrote. */
function decodeRecord(columns: readonly RecordColumn[], chunks: readonly unknown[][]): object {
  const record: Record<string, unknown> = {};
  const values = chunks.flat();
  for (const [index, { name, decode }] of columns.entries()) {
    const value = values[index];
    record[name] = decode && value !== null ? decode(value as never) : value;
  }
  return record;
}

type Related<T extends StoreTable, E extends Record<string, SQL>> = Row<T> & {
  [K in keyof E]: E[K] extends SQL<infer V> ? V : never;
};

/**
 * A to-one relation, selected with its owner in one statement: `{data: record}` or `{data: null}`.
 */
export function toOne<T extends StoreTable, const E extends Record<string, SQL> = {}>(
  table: T,
  where: SQL,
  extra?: E,
) {
  const columns = recordColumns(table, extra ?? {});
  const record = sql`(select ${jsonRecord(columns)} from ${fromClause(table)} where ${where})`;
  // Drizzle does not decode a null column, so a missing record is the JSON text null.
  return relation(sql`coalesce(${record}, 'null')`, (chunks: unknown[][] | null) => ({
    // The record has all columns of a row.
    data: chunks && (decodeRecord(columns, chunks) as Related<T, E>),
  }));
}

/**
 * A to-many relation, selected with its owner in one statement: `{data: [...]}`, at most 100,
 * ordered by id or `order`.
 */
export function toMany<T extends StoreTable, const E extends Record<string, SQL> = {}>(
  table: T,
  where: SQL,
  extra?: E,
  order: Column = table.id,
) {
  const columns = recordColumns(table, extra ?? {});
  const rows = sql`select ${jsonRecord(columns)} as record from ${fromClause(table)} where ${where} order by ${order} limit 100`;
  return relation(
    sql`(select json_group_array(json(record)) from (${rows}))`,
    (records: unknown[][][]) => ({
      data: records.map((chunks) => decodeRecord(columns, chunks) as Related<T, E>),
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
