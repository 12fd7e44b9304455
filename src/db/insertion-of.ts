import { getTableColumns } from 'drizzle-orm';
import type { Column, SQL } from 'drizzle-orm';
import type { StoreDb } from './store.ts';
import type { Row, StoreTable, Values } from './table.ts';

const made = new Set(['id', 'store_id', 'created_at', 'updated_at']);

/**
 * Adds a record that was put together, under a reserved id, as it will be read once it is stored; `computed` are columns
 * that only the transaction itself knows.
 */
export function insertionOf<T extends StoreTable>(
  db: StoreDb,
  table: T,
  row: Row<T> & { id: number },
  computed: Readonly<Record<string, SQL>> = {},
) {
  const columns = Object.values<Column>(getTableColumns(table));
  const set = columns.filter(({ name, generated }) => !made.has(name) && !generated);
  const values = Object.fromEntries(set.map(({ name }) => [name, row[name as keyof Row<T>]]));
  // The row has every column of its table; those of the handle and the generated ones are left out.
  return db.insertion(table, { ...values, ...computed } as Values<T>, row.id);
}
