import { inArray, sql } from 'drizzle-orm';
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { StoreDb } from '../db/store.ts';
import type { StoreTable } from '../db/table.ts';

/** Ids by what the records are known by. */
export type Ids = Map<string, number>;

/** The ids of those records of a store whose column has one of these values. */
export async function idsBy(
  db: StoreDb,
  table: StoreTable,
  column: AnySQLiteColumn,
  values: readonly string[],
): Promise<Ids> {
  const known = sql<string>`${column}`;
  const [rows] = await db.batch([
    db.select(table, { where: inArray(column, [...values]), extras: { known } }),
  ]);
  return new Map(rows.map((row) => [row.known, row.id]));
}

/** Makes those of the wanted records that the store does not have, in their order; answers the ids of all. */
export async function complete<Wanted>(
  db: StoreDb,
  {
    table,
    column,
    wanted,
    keyOf,
  }: {
    table: StoreTable;
    column: AnySQLiteColumn;
    wanted: readonly Wanted[];
    /** The value that the column has in a record made of this. */
    keyOf: (one: Wanted) => string;
  },
  make: (one: Wanted, made: Ids) => Promise<{ id: number } | undefined>,
): Promise<Ids> {
  const ids = await idsBy(db, table, column, wanted.map(keyOf));
  for (const one of wanted) {
    if (ids.has(keyOf(one))) continue;
    const record = await make(one, ids);
    if (record) ids.set(keyOf(one), record.id);
  }
  return ids;
}
