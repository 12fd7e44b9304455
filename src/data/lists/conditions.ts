import { and, between, eq, inArray, isNull, or, sql, type SQL } from 'drizzle-orm';
import { foldText } from '../../base/codecs/fields/normalize-text.ts';
import type { Condition } from '../../base/codecs/listing/field-types.ts';
import type { StoreTable } from '../core/store-table.ts';
import { searchedColumn } from './indexes.ts';
import type { LinkedFilters } from './record-source.ts';

/**
 * Translates a parsed query into SQL. `contains` uses `instr`, not LIKE: D1 rejects patterns over
 * 50 bytes and folds only ASCII.
 */
export function toWhere(
  table: StoreTable,
  condition: Condition,
  linked: LinkedFilters = {},
): SQL | undefined {
  if ('all' in condition) return and(...condition.all.map((part) => toWhere(table, part, linked)));
  if ('any' in condition) return or(...condition.any.map((part) => toWhere(table, part, linked)));
  const linkedFilter = linked[condition.column];
  if (condition.is === 'in' && linkedFilter) return linkedFilter(condition.values).holds;
  const column = searchedColumn(table, condition.column);
  const normalize = <V>(value: V) =>
    column.name.endsWith('_folded') && typeof value === 'string' ? foldText(value) : value;
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
