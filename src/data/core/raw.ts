import type { SQL } from 'drizzle-orm';
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core';
import type { Database } from './open-database.ts';
import type { RowDecoder, TypedStatement } from './statement.ts';
import type { StoreScope } from './store.ts';

const dialect = new SQLiteAsyncDialect();

/** Makes plain SQL a statement of a batch. Drizzle's own raw query loses its parameters in a batch (0.45). */
export function rawDatabaseStatement<Row>(database: Database, sql: SQL) {
  const query = dialect.sqlToQuery(sql);
  return textStatement<Row>(database, query.sql, query.params);
}

/**
 * Prepares plain SQL on a binding, for work on a whole database that counts changed rows or whose writes rest during moves.
 */
export function prepareSql(binding: D1Database, sql: SQL): D1PreparedStatement {
  const query = dialect.sqlToQuery(sql);
  return binding.prepare(query.sql).bind(...query.params);
}

/** Makes text with `?` parameters a statement of a batch. */
export function textStatement<Row>(
  database: Database,
  sql: string,
  params: unknown[],
  decode?: RowDecoder,
) {
  const query = { sql, params };
  const prepared = {
    getQuery: () => query,
    stmt: database.$client.prepare(sql),
    mapResult: ({ results }: D1Result<Record<string, unknown>>) => decode?.(results) ?? results,
  };
  return { _prepare: () => prepared } as unknown as TypedStatement<Row[]>;
}

/** The text of SQL without values, for a statement that is written as text and binds its own parameters. */
export function toSqlText(sql: SQL): string {
  const { sql: text, params } = dialect.sqlToQuery(sql);
  if (params.length > 0) throw new Error('SQL text cannot hold values');
  return text;
}

const databases = new WeakMap<StoreScope, Database>();

/** Lets {@link rawStatement} find the database of a store handle. Called by the constructor of `StoreStatements` only. */
export const registerDatabase = (db: StoreScope, database: Database) =>
  void databases.set(db, database);

/** A statement in plain SQL on the shard of a store handle. The SQL must itself restrict every table to that store. */
export function rawStatement<Row = unknown>(db: StoreScope, sql: SQL) {
  const database = databases.get(db);
  if (!database) throw new Error('not a store handle');
  return rawDatabaseStatement<Row>(database, sql);
}
