import { inArray, sql } from 'drizzle-orm';
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Database } from '../../data/core/open-database.ts';
import { StoreDb } from '../../data/core/store-db.ts';
import type { StoreTable } from '../../data/core/store-table.ts';
import { type Store } from '../../data/core/store.ts';

/**
 * Opens a store at a given time, in epoch milliseconds. Wakes no worker: a new store has no active
 * webhook.
 */
export const createSeedDb = (store: Store, database: Database, now: number) =>
  new StoreDb(store, database, { now, wakeEndpoints: () => undefined });

/** Maps the natural key of a record to its id. */
export type IdsByKey = Map<string, number>;

/** Finds the records of a store whose column has one of these values. */
export async function findIdsBy(
  db: StoreDb,
  table: StoreTable,
  column: AnySQLiteColumn,
  values: readonly string[],
): Promise<IdsByKey> {
  const key = sql<string>`${column}`;
  const [rows] = await db.batch([
    db.select(table, { where: inArray(column, [...values]), extras: { key } }),
  ]);
  return new Map(rows.map((row) => [row.key, row.id]));
}

/**
 * Creates the seeds that the store does not contain yet, in their order. Returns the ids of all of
 * them.
 */
export async function insertMissing<Seed>(
  db: StoreDb,
  {
    table,
    column,
    seeds,
    keyOf,
  }: {
    table: StoreTable;
    column: AnySQLiteColumn;
    seeds: readonly Seed[];
    /** Returns the value of the column in the record of a seed. */
    keyOf: (seed: Seed) => string;
  },
  create: (seed: Seed, ids: IdsByKey) => Promise<{ id: number } | undefined>,
): Promise<IdsByKey> {
  const ids = await findIdsBy(db, table, column, seeds.map(keyOf));
  for (const seed of seeds) {
    if (ids.has(keyOf(seed))) continue;
    const record = await create(seed, ids);
    if (record) ids.set(keyOf(seed), record.id);
  }
  return ids;
}
