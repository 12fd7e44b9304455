import { sql } from 'drizzle-orm';
import { openDatabase } from '../core/open-database.ts';
import { compileSql, rawDatabaseStatement } from '../core/raw.ts';

/** Adds milliseconds in the database to those of a store. One round trip, and one row written. */
export async function addStoreLoad(
  binding: D1Database,
  { storeId, ms }: { storeId: number; ms: number },
): Promise<void> {
  const shard = openDatabase(binding);
  await shard.batch([
    rawDatabaseStatement(
      shard,
      sql`insert into store_loads (store_id, ms) values (${storeId}, ${ms})
        on conflict do update set ms = ms + excluded.ms`,
    ),
  ]);
}

const selectLoads = compileSql(
  sql`select store_id as store, ms, sum(ms) over () as total from store_loads order by ms desc limit 1`,
);
const deleteLoads = compileSql(sql`delete from store_loads`);

/** The statements that return the busiest store with the sum of all, and begin anew. */
export const takeStoreLoads = (binding: D1Database) =>
  [selectLoads(binding), deleteLoads(binding)] as const;

/** The row of {@link takeStoreLoads}; none if no request was sampled. */
export interface BusiestStore {
  store: number;
  ms: number;
  total: number;
}
