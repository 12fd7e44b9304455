import { getTableColumns } from 'drizzle-orm';
import { getTableConfig, type AnySQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { StoreTable } from '../core/store-table.ts';

/**
 * How a column is indexed: behind the store (`store_id, column`), by itself, or as part of another
 * index (not usable).
 */
type Indexed = 'of-store' | 'alone' | undefined;

const known = new WeakMap<StoreTable, ReadonlyMap<string, Indexed>>();

/** How the column of a table is indexed. Partial indexes do not count. */
export function indexOf(table: StoreTable, column: AnySQLiteColumn): Indexed {
  let columns = known.get(table);
  if (!columns) known.set(table, (columns = readIndexes(table)));
  return columns.get(column.name);
}

function readIndexes(table: StoreTable): ReadonlyMap<string, Indexed> {
  const columns = new Map<string, Indexed>();
  for (const { config } of getTableConfig(table).indexes) {
    if (config.where) continue;
    const [first, second] = config.columns.map((column) => ('name' in column ? column.name : ''));
    if (first === 'store_id' && second !== undefined) columns.set(second, 'of-store');
    else if (first !== undefined && !columns.has(first)) columns.set(first, 'alone');
  }
  return columns;
}

/** The name of the column to search and sort by: the folded one if there is one. */
export const sortKeyName = (table: StoreTable, name: string): string =>
  `${name}_folded` in getTableColumns(table) ? `${name}_folded` : name;

/** The column to search and sort by. */
export function searchedColumn(table: StoreTable, name: string): AnySQLiteColumn {
  const columns: Record<string, AnySQLiteColumn> = getTableColumns(table);
  const column = columns[sortKeyName(table, name)];
  if (!column) throw new Error(`no column ${name}`);
  return column;
}
