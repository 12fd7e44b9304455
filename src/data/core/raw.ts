import { sql, type SQL } from 'drizzle-orm';
import { fillPlaceholders, toQuery } from './drizzle-adapter.ts';
import { databaseOf, prepareText, textStatement, type Database } from './open-database.ts';
import type { StoreScope } from './store.ts';

/**
 * Makes plain SQL a statement of a batch. Drizzle's own raw query loses its parameters in a batch
 * (0.45).
 */
export function rawDatabaseStatement<Row>(database: Database, sql: SQL) {
  const query = toQuery(sql);
  return textStatement<Row>(database, query.sql, query.params);
}

/**
 * Prepares plain SQL on a binding, for work on a whole database that counts changed rows or whose
 * writes rest during moves.
 */
export function prepareSql(binding: Pick<D1Database, 'prepare'>, sql: SQL): D1PreparedStatement {
  const query = toQuery(sql);
  return prepareText(binding, query.sql).bind(...query.params);
}

/** A value that {@link compileSql} leaves open. */
export const parameter = (name: string): SQL => sql.placeholder(name).getSQL();

/** Several of them. */
export const parameters = <const Names extends readonly string[]>(...names: Names) =>
  names.map(parameter) as { [Index in keyof Names]: SQL };

type Values = Readonly<Record<string, string | number | null>>;

/** Builds the text of plain SQL at its first use. Returns what fills in its values. */
function compileText(query: SQL) {
  let compiled: ReturnType<typeof toQuery> | undefined;
  return (values: Values = {}) => {
    compiled ??= toQuery(query.inlineParams());
    return { text: compiled.sql, params: fillPlaceholders(compiled.params, values) };
  };
}

/**
 * Plain SQL whose text is built once for an isolate: each {@link parameter} stays one, all other
 * values become literals. So it costs no more than a constant text, and SQLite uses the partial
 * index of a state. Returns what prepares it on a binding with the values of its parameters.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the values
export function compileSql<Named extends Values | undefined = undefined>(query: SQL) {
  const fill = compileText(query);
  return (
    binding: D1Database,
    ...[values]: Named extends undefined ? [] : [values: Named]
  ): D1PreparedStatement => {
    const { text, params } = fill(values);
    return prepareText(binding, text).bind(...params);
  };
}

/** As {@link compileSql}, for a statement of a batch on the shard of a store handle. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the values
export function compileStatement<Named extends Values, Row = unknown>(query: SQL) {
  const fill = compileText(query);
  return (db: StoreScope, values: Named) => {
    const { text, params } = fill(values);
    return textStatement<Row>(databaseOf(db), text, params);
  };
}

/**
 * The text of SQL without values, for a statement that is written as text and binds its own
 * parameters.
 */
export function toSqlText(sql: SQL): string {
  const { sql: text, params } = toQuery(sql);
  if (params.length > 0) throw new Error('SQL text cannot hold values');
  return text;
}

/**
 * A statement in plain SQL on the shard of a store handle. The SQL must itself restrict every table
 * to that store.
 */
export const rawStatement = <Row = unknown>(db: StoreScope, sql: SQL) =>
  rawDatabaseStatement<Row>(databaseOf(db), sql);
