import type { InferInsertModel, InferSelectModel } from 'drizzle-orm';
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';

/** A table of a shard whose records have an id. */
export type StoreTable = SQLiteTable & {
  id: AnySQLiteColumn<{ data: number }>;
  store_id: AnySQLiteColumn<{ data: number }>;
  created_at: AnySQLiteColumn<{ data: number }>;
  updated_at: AnySQLiteColumn<{ data: number }>;
};

/**
 * `x_folded` and `x_key` are derived if the table has a column `x`; else they are ordinary columns.
 */
type DerivedColumn<Column, Columns> = Column extends `${infer Source}_${'folded' | 'key'}`
  ? Source extends Columns
    ? Column
    : never
  : never;

/** A stored record, without its store and without derived columns, which only the database uses. */
export type Row<T extends StoreTable> = {
  [
    Column in keyof InferSelectModel<T> as Column extends
      | 'store_id'
      | DerivedColumn<Column, keyof InferSelectModel<T>>
      ? never
      : Column
  ]: InferSelectModel<T>[Column];
};

type ManagedColumn = 'id' | 'store_id' | 'created_at' | 'updated_at' | `${string}_folded`;

type WritableColumns<T extends StoreTable> = {
  [
    Column in keyof InferInsertModel<T> as Column extends
      | ManagedColumn
      | DerivedColumn<Column, keyof InferInsertModel<T>>
      ? never
      : Column
  ]: InferInsertModel<T>[Column];
};

/**
 * The columns that a caller sets on insert. The store handle sets the rest, above all `store_id`.
 */
export type InsertValues<T extends StoreTable> = WritableColumns<T> & { store_id?: never };

/** The columns that a caller may change. */
export type UpdateValues<T extends StoreTable> = Partial<WritableColumns<T>> & { store_id?: never };
