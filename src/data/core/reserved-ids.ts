import { getTableColumns, sql, type Column, type SQL } from 'drizzle-orm';
import { reservedKind, sequences } from '../schema/store/internal-tables.ts';
import { rawStatement } from './raw.ts';
import { markPreparatory } from './statement.ts';
import type { StoreDb } from './store-db.ts';
import type { InsertValues, Row, StoreTable } from './store-table.ts';

/**
 * Reserves `count` ids and returns one row with the highest of them; no row if `count` is 0. For
 * records whose ids must be known for the event in the same batch, of any kinds. They share a
 * sequence, so a request writes one row for all its ids. Unused ids are never reused.
 */
export function reserveIds(db: StoreDb, count: number | SQL) {
  if (db.isDryRun) {
    return rawStatement<{ last: number }>(
      db,
      sql`select wanted + coalesce((select last from ${sequences} where kind = ${reservedKind}), 0) as last
        from (select ${count} as wanted) where wanted > 0`,
    );
  }
  return markPreparatory(
    rawStatement<{ last: number }>(
      db,
      sql`insert into ${sequences} (kind, last)
        select ${reservedKind}, wanted from (select ${count} as wanted) where wanted > 0
        on conflict do update set last = last + excluded.last returning last`,
    ),
  );
}

/**
 * The columns that the store handle adds to a new record, for records that are serialized before
 * they are stored.
 */
export const baseColumns = (db: StoreDb, id: number) => ({
  id,
  store_id: db.store.id,
  created_at: db.now,
  updated_at: db.now,
});

const managedColumns = new Set(['id', 'store_id', 'created_at', 'updated_at']);

/**
 * Inserts a complete record under its reserved id. `computed` holds columns whose values only the
 * transaction knows, such as the order number.
 */
export function insertReservedStatement<T extends StoreTable>(
  db: StoreDb,
  table: T,
  row: Row<T> & { id: number },
  computed: Readonly<Record<string, SQL>> = {},
) {
  const columns = Object.values<Column>(getTableColumns(table));
  const writable = columns.filter(({ name, generated }) => !managedColumns.has(name) && !generated);
  const values = Object.fromEntries(writable.map(({ name }) => [name, row[name as keyof Row<T>]]));
  // The record has all columns of its table; managed and generated ones are omitted.
  return db.insertStatement(table, { ...values, ...computed } as InsertValues<T>, row.id);
}
