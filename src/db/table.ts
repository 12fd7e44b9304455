import type { InferInsertModel, InferSelectModel } from 'drizzle-orm';
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';

/** A table of the data plane whose records have an id of their own. */
export type StoreTable = SQLiteTable & {
  id: AnySQLiteColumn<{ data: number }>;
  store_id: AnySQLiteColumn<{ data: number }>;
  created_at: AnySQLiteColumn<{ data: number }>;
  updated_at: AnySQLiteColumn<{ data: number }>;
};

/** A stored record. */
export type Row<T extends StoreTable> = InferSelectModel<T>;

type Made = 'id' | 'store_id' | 'created_at' | 'updated_at' | `${string}_folded`;

/** `x_key` follows from `x`; where there is no `x` it is a column like any other. */
type Derived<Column, Columns> = Column extends `${infer Source}_key`
  ? Source extends Columns
    ? Column
    : never
  : never;

type Settable<T extends StoreTable> = {
  [
    Column in keyof InferInsertModel<T> as Column extends
      | Made
      | Derived<Column, keyof InferInsertModel<T>>
      ? never
      : Column
  ]: InferInsertModel<T>[Column];
};

/** What a caller may set on a record; the handle sets the rest, `store_id` above all. */
export type Values<T extends StoreTable> = Settable<T> & { store_id?: never };

/** Some of {@link Values}. */
export type Changes<T extends StoreTable> = Partial<Settable<T>> & { store_id?: never };
