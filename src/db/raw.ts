import type { SQL } from 'drizzle-orm';
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core';
import { answering, type Answering } from './statement.ts';
import type { Shard } from './open.ts';
import type { StoreStatements } from './store-statements.ts';

const dialect = new SQLiteAsyncDialect();

/** Plain SQL as a statement of a batch: Drizzle's own raw query loses its parameters there (0.45). */
export function plainStatement<Row>(shard: Shard, sql: SQL) {
  const query = dialect.sqlToQuery(sql);
  const prepared = {
    getQuery: () => query,
    stmt: shard.$client.prepare(query.sql),
    mapResult: ({ results }: D1Result<Row>) => results,
  };
  return answering<Answering<Row[]>>({ _prepare: () => prepared });
}

const shards = new WeakMap<StoreStatements, Shard>();

/** Lets {@link rawStatement} work for a handle. For its constructor alone. */
export const register = (db: StoreStatements, shard: Shard) => void shards.set(db, shard);

/**
 * A statement in plain SQL, which must name the store itself. For `db` and `events`; lint keeps it out of
 * the resources, whose statements all come from the handle.
 */
export function rawStatement<Row = unknown>(db: StoreStatements, query: SQL) {
  const shard = shards.get(db);
  if (!shard) throw new Error('not a store handle');
  return plainStatement<Row>(shard, query);
}
