import type { SQL } from 'drizzle-orm';
import { answering, type Answering } from './statement.ts';
import type { Shard } from './open.ts';
import type { StoreDb } from './store.ts';

const shards = new WeakMap<StoreDb, Shard>();

/** Lets {@link rawStatement} work for a handle. For `db/store` alone. */
export const register = (db: StoreDb, shard: Shard) => void shards.set(db, shard);

/**
 * A statement in plain SQL, which must name the store itself. For `db` and `events`; lint keeps it out of
 * the resources, whose statements all come from the handle.
 */
export function rawStatement<Row = unknown>(db: StoreDb, query: SQL) {
  const shard = shards.get(db);
  if (!shard) throw new Error('not a store handle');
  return answering<Answering<Row[]>>(shard.all(query));
}
