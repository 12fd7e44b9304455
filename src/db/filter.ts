import {
  and,
  asc,
  between,
  desc,
  eq,
  getTableColumns,
  inArray,
  isNull,
  or,
  sql,
} from 'drizzle-orm';
import type { Column, SQL } from 'drizzle-orm';
import { fold } from '../wire/fold.ts';
import type { Condition, Listing } from '../wire/listing.ts';
import { isLinked, linkedAny } from './linked-columns.ts';
import type { StoreTable } from './table.ts';

function columnOf(table: StoreTable, name: string): Column {
  const columns: Record<string, Column> = getTableColumns(table);
  const column = columns[name];
  if (!column) throw new Error(`no column ${name}`);
  return column;
}

/** The column as it is searched and sorted, and how to bring a value to the same form. */
function comparable(table: StoreTable, name: string) {
  const folded = `${name}_folded`;
  const isFolded = folded in getTableColumns(table);
  return {
    column: columnOf(table, isFolded ? folded : name),
    form: <V>(value: V) => (isFolded && typeof value === 'string' ? fold(value) : value),
  };
}

/**
 * A parsed query as SQL. `contains` uses `instr`, not LIKE: D1 refuses patterns over 50 bytes and folds
 * ASCII only.
 */
export function whereOf(table: StoreTable, condition: Condition): SQL | undefined {
  if ('all' in condition) return and(...condition.all.map((part) => whereOf(table, part)));
  if ('any' in condition) return or(...condition.any.map((part) => whereOf(table, part)));
  if (condition.is === 'in' && isLinked(condition.column)) {
    return linkedAny(table, condition.column, condition.values);
  }
  const { column, form } = comparable(table, condition.column);
  switch (condition.is) {
    case 'contains':
      return sql`instr(${column}, ${fold(condition.text)}) > 0`;
    case 'equals':
      return eq(column, form(condition.value));
    case 'in':
      return inArray(
        column,
        sql`(select value from json_each(${JSON.stringify(condition.values.map((value) => driverValue(form(value))))}))`,
      );
    case 'between':
      return between(column, condition.from, condition.until - 1);
    case 'null':
      return isNull(column);
  }
}

const driverValue = (value: unknown) => (typeof value === 'boolean' ? Number(value) : value);

/** The sort keys of a parsed query; the last one is always the id. */
export function orderOf(table: StoreTable, order: Listing['order']): SQL[] {
  return order.map(({ column, descending }) =>
    (descending ? desc : asc)(comparable(table, column).column),
  );
}
