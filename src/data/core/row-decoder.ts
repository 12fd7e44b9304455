import { Column, getTableColumns, type SQL } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';

type Rows = Record<string, unknown>[];

/** Decodes rows in place: D1 created their objects for this batch alone. */
export type RowDecoder = (rows: Rows) => Rows;

interface ValueDecoder {
  name: string;
  decode: (value: unknown) => unknown;
}

const decodersByTable = new WeakMap<SQLiteTable, readonly ValueDecoder[]>();

/** The columns that SQLite stores in another form, such as booleans as 0 and 1. */
function decodersOf(table: SQLiteTable): readonly ValueDecoder[] {
  let decoders = decodersByTable.get(table);
  if (!decoders) {
    decoders = Object.values<Column>(getTableColumns(table))
      .filter((column) => column.mapFromDriverValue !== Column.prototype.mapFromDriverValue)
      .map((column) => ({ name: column.name, decode: (v) => column.mapFromDriverValue(v) }));
    decodersByTable.set(table, decoders);
  }
  return decoders;
}

/** The decoder of a computed column, which Drizzle's types hide. */
const decoderOf = (column: SQL) =>
  (column as unknown as { decoder: { mapFromDriverValue: (value: unknown) => unknown } }).decoder;

/**
 * Creates the decoder of a table's rows with computed columns. Drizzle turns each row into an array and looks up the
 * kind of its column for every value; this touches only the values whose stored form differs.
 */
export function rowDecoder(
  table: SQLiteTable,
  computed: Readonly<Record<string, SQL>> = {},
): RowDecoder {
  const decoders = [
    ...decodersOf(table),
    ...Object.entries(computed).map(([name, column]) => ({
      name,
      decode: (value: unknown) => decoderOf(column).mapFromDriverValue(value),
    })),
  ];
  return (rows) => {
    for (const row of rows) {
      for (const { name, decode } of decoders) {
        const value = row[name];
        // Null has no stored form to decode, so it stays null.
        if (value !== null) row[name] = decode(value);
      }
    }
    return rows;
  };
}
