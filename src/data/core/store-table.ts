import type { InferInsertModel, InferSelectModel } from 'drizzle-orm';
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';

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
