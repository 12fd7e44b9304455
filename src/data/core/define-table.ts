import {
  getTableColumns,
  type InferInsertModel,
  type InferSelectModel,
  type Table,
} from 'drizzle-orm';
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { foldText, nameKey } from '../../base/codecs/fields/normalize-text.ts';

/** A table of a shard whose records have an id. */
export type StoreTable = SQLiteTable & {
  id: AnySQLiteColumn<{ data: number }>;
  store_id: AnySQLiteColumn<{ data: number }>;
  created_at: AnySQLiteColumn<{ data: number }>;
  updated_at: AnySQLiteColumn<{ data: number }>;
};

/** A stored record. */
export type Row<T extends StoreTable> = InferSelectModel<T>;

type ManagedColumn = 'id' | 'store_id' | 'created_at' | 'updated_at' | `${string}_folded`;

/** `x_key` is derived if the table has a column `x`; else it is an ordinary column. */
type DerivedColumn<Column, Columns> = Column extends `${infer Source}_key`
  ? Source extends Columns
    ? Column
    : never
  : never;

type WritableColumns<T extends StoreTable> = {
  [
    Column in keyof InferInsertModel<T> as Column extends
      | ManagedColumn
      | DerivedColumn<Column, keyof InferInsertModel<T>>
      ? never
      : Column
  ]: InferInsertModel<T>[Column];
};

/** The columns that a caller sets on insert. The store handle sets the rest, above all `store_id`. */
export type InsertValues<T extends StoreTable> = WritableColumns<T> & { store_id?: never };

/** The columns that a caller may change. */
export type UpdateValues<T extends StoreTable> = Partial<WritableColumns<T>> & { store_id?: never };

const transforms = { folded: foldText, key: nameKey } as const;

const derivations = new WeakMap<
  Table,
  { column: string; source: string; transform: typeof foldText }[]
>();

function derivationsOf(table: Table) {
  let derived = derivations.get(table);
  if (!derived) {
    derived = Object.keys(getTableColumns(table)).flatMap((column) => {
      const match = /^(.+)_(folded|key)$/.exec(column);
      const source = match?.[1];
      return source && source in getTableColumns(table)
        ? [{ column, source, transform: transforms[match[2] as keyof typeof transforms] }]
        : [];
    });
    derivations.set(table, derived);
  }
  return derived;
}

/**
 * Adds the derived columns: `name_folded` (without accents and letter case) is for searching and sorting by `name`,
 * `name_key` is for its uniqueness.
 */
export function withDerivedColumns(table: Table, values: Record<string, unknown>) {
  const complete = { ...values };
  for (const { column, source, transform } of derivationsOf(table)) {
    const value = values[source];
    if (value !== undefined)
      complete[column] = typeof value === 'string' ? transform(value) : value;
  }
  return complete;
}
