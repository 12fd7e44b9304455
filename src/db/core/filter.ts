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
  type Column,
  type SQL,
} from 'drizzle-orm';
import { foldText } from '../../codecs/fields/normalize-text.ts';
import type { Condition, Listing } from '../../codecs/listing/listing.ts';
import type { StoreTable } from './table.ts';

/** The condition that a record is linked with any of these ids. */
export type LinkedFilter = (ids: readonly unknown[]) => SQL;

/** Filters by ids that are no columns of the table (`catalog/links.ts`), by the name that a listing gives them. */
export type LinkedFilters = Readonly<Record<string, LinkedFilter>>;

function columnOf(table: StoreTable, name: string): Column {
  const columns: Record<string, Column> = getTableColumns(table);
  const column = columns[name];
  if (!column) throw new Error(`no column ${name}`);
  return column;
}

/** The column to search and sort by, and a function that brings a value into its form: folded if the column is. */
function searchColumn(table: StoreTable, name: string) {
  const folded = `${name}_folded`;
  const isFolded = folded in getTableColumns(table);
  return {
    column: columnOf(table, isFolded ? folded : name),
    normalize: <V>(value: V) => (isFolded && typeof value === 'string' ? foldText(value) : value),
  };
}

/**
 * Translates a parsed query into SQL. `contains` uses `instr`, not LIKE: D1 rejects patterns over 50 bytes and folds
 * only ASCII.
 */
export function toWhere(
  table: StoreTable,
  condition: Condition,
  linked: LinkedFilters = {},
): SQL | undefined {
  if ('all' in condition) return and(...condition.all.map((part) => toWhere(table, part, linked)));
  if ('any' in condition) return or(...condition.any.map((part) => toWhere(table, part, linked)));
  const isLinkedWithAny = linked[condition.column];
  if (condition.is === 'in' && isLinkedWithAny) return isLinkedWithAny(condition.values);
  const { column, normalize } = searchColumn(table, condition.column);
  switch (condition.is) {
    case 'contains':
      return sql`instr(${column}, ${foldText(condition.text)}) > 0`;
    case 'equals':
      return eq(column, normalize(condition.value));
    case 'in':
      return inArray(
        column,
        sql`(select value from json_each(${JSON.stringify(condition.values.map((value) => toDriverValue(normalize(value))))}))`,
      );
    case 'between':
      return between(column, condition.from, condition.until - 1);
    case 'null':
      return isNull(column);
  }
}

const toDriverValue = (value: unknown) => (typeof value === 'boolean' ? Number(value) : value);

/** The sort keys of a parsed query. The parser always adds the id as the last one. */
export function toOrderBy(table: StoreTable, order: Listing['order']): SQL[] {
  return order.map(({ column, descending }) =>
    (descending ? desc : asc)(searchColumn(table, column).column),
  );
}
