import { sql } from 'drizzle-orm';
import type { Condition } from '../../base/codecs/listing/field-types.ts';
import type { StoreTable } from '../core/store-table.ts';
import { toWhere } from './conditions.ts';
import { indexOf, searchedColumn } from './indexes.ts';
import {
  candidateIds,
  type LinkedFilters,
  type RecordSource,
  maxLookedAt,
} from './record-source.ts';
import { canSearch, textSource } from './text-search.ts';

/** Where to look for sources. */
interface SearchedList {
  table: StoreTable;
  storeId: number;
  linked: LinkedFilters;
}

/**
 * Returns sources of the records that satisfy a condition, those that usually have few candidates
 * first.
 */
export function sourcesOf(list: SearchedList, condition: Condition): RecordSource[] {
  return conjuncts(condition)
    .flatMap((part) => {
      const source = sourceOf(list, part);
      return source ? [{ source, rank: rankOf(part) }] : [];
    })
    .sort((one, other) => one.rank - other.rank)
    .map(({ source }) => source);
}

/** The parts of a condition that must all hold. */
export const conjuncts = (condition: Condition): Condition[] =>
  'all' in condition ? condition.all.flatMap(conjuncts) : [condition];

function rankOf(condition: Condition): number {
  if ('any' in condition || 'all' in condition) return 3;
  return { contains: 0, equals: 1, in: 2, null: 4, between: 5 }[condition.is];
}

function sourceOf(list: SearchedList, condition: Condition): RecordSource | undefined {
  if ('all' in condition) return sourcesOf(list, condition)[0];
  if ('any' in condition) return sourceOfAny(list, condition.any);
  const { table, storeId, linked } = list;
  const { column: name } = condition;
  if (condition.is === 'contains') {
    return canSearch(table, name, condition.text)
      ? textSource(table, storeId, [{ column: name, text: condition.text }])
      : undefined;
  }
  const linkedFilter = linked[name];
  if (linkedFilter)
    return condition.is === 'in' ? linkedFilter(condition.values).source : undefined;
  const column = searchedColumn(table, name);
  const indexed = name === 'id' ? 'of-store' : indexOf(table, column);
  const where = toWhere(table, condition);
  if (!indexed || !where) return undefined;
  const isOneValue =
    condition.is === 'equals' ||
    condition.is === 'null' ||
    (condition.is === 'in' && condition.values.length === 1);
  // With an index on the column alone, the store must not lead SQLite to an index of the store.
  const ofStore =
    indexed === 'alone' || name === 'id'
      ? sql`+${table.store_id} = ${storeId}`
      : sql`${table.store_id} = ${storeId}`;
  return {
    key: sql`${table.id}`,
    scale: 1,
    from: sql`${table}`,
    where: sql`${ofStore} and ${where}`,
    isById: isOneValue || name === 'id',
    isExact: true,
  };
}

/** A source of the records that satisfy any of several conditions, if each of these has one. */
function sourceOfAny(
  list: SearchedList,
  conditions: readonly Condition[],
): RecordSource | undefined {
  const texts = conditions.flatMap((one) =>
    'column' in one && one.is === 'contains' && canSearch(list.table, one.column, one.text)
      ? [one]
      : [],
  );
  const others = conditions.filter((one) => !texts.some((text) => text === one));
  const text = texts.length > 0 ? [textSource(list.table, list.storeId, texts)] : [];
  const sources = [...text, ...others.map((one) => sourceOf(list, one))];
  const [first] = sources;
  if (sources.length === 1) return first;
  const known = sources.filter((source) => source !== undefined);
  if (known.length < sources.length || known.length === 0) return undefined;
  const parts = known.map(
    (source) => sql`select id from (${candidateIds(source, maxLookedAt + 1)})`,
  );
  return {
    key: sql`id`,
    scale: 1,
    from: sql`(${sql.join(parts, sql` union `)})`,
    where: sql`true`,
    isById: false,
    isExact: false,
  };
}
