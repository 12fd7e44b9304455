import { and, sql, type SQL } from 'drizzle-orm';
import { getTableConfig } from 'drizzle-orm/sqlite-core';
import type { Listing } from '../../base/codecs/listing/options.ts';
import type { StoreTable } from '../core/store-table.ts';
import { toWhere } from './conditions.ts';
import { indexOf, searchedColumn } from './indexes.ts';
import { reversed, type SortKey } from './keyset.ts';
import {
  everyRecord,
  type LinkedFilters,
  type RecordSet,
  type RecordSource,
} from './record-source.ts';
import { conjuncts, sourcesOf } from './sources.ts';

/** The records of a list before its query selects from them. */
export interface ListScope {
  /** A condition of the list itself. */
  where?: SQL | undefined;
  /** The records that belong to a parent. */
  within?: RecordSet | undefined;
  /** Filters by ids that are no columns. */
  linked?: LinkedFilters | undefined;
}

/** How a list finds its records (see README). */
export interface ListPlan {
  table: StoreTable;
  storeId: number;
  listing: Listing;
  /** `undefined` if the list holds all records of the store. */
  where: SQL | undefined;
  /**
   * The condition of a list below a parent, for a table that stores the records of a parent
   * together.
   */
  parent: SQL | undefined;
  /** Where to look for candidates, the most promising first. */
  sources: readonly RecordSource[];
  /** Whether an index gives the order of the list. */
  isIndexed: boolean;
  /** Whether the only source holds exactly the matching records. */
  isExact: boolean;
  /** The sort keys as columns of `listed` (`recordsOf`), in the direction of the page. */
  keys: readonly SortKey[];
}

/** The most sources of a list: the first candidates of each are read. */
const maxSources = 3;

export function planList(
  table: StoreTable,
  storeId: number,
  listing: Listing,
  { where, within, linked = {} }: ListScope,
): ListPlan {
  const allOf = and(toWhere(table, listing.where, linked), within?.holds, where);
  const found = sourcesOf({ table, storeId, linked }, listing.where);
  const sources = (within ? [within.source, ...found] : found).slice(0, maxSources);
  const isIndexed = isOrderIndexed(table, listing);
  const parts = conjuncts(listing.where).length + (within ? 1 : 0) + (where ? 1 : 0);
  const keys = listing.order.map(({ column, descending }, index) => ({
    column: sql.raw(column === 'id' ? 'listed.id' : `listed.k${index}`),
    descending,
    isNullable: column !== 'id' && !searchedColumn(table, column).notNull,
  }));
  return {
    table,
    storeId,
    listing,
    where: allOf,
    parent: within && getTableConfig(table).primaryKeys.length > 0 ? within.holds : undefined,
    // Records that no index can find or sort are taken all, if they are few.
    sources: sources.length > 0 || isIndexed ? sources : [everyRecord(table, storeId)],
    isIndexed,
    isExact: parts === 1 && sources[0]?.isExact === true,
    keys: listing.position?.isBack ? reversed(keys) : keys,
  };
}

function isOrderIndexed(table: StoreTable, { order }: Listing): boolean {
  const [first] = order;
  if (!first || first.column === 'id') return true;
  return order.length === 2 && indexOf(table, searchedColumn(table, first.column)) === 'of-store';
}

/**
 * The records of the store as `listed`: their id, their sort keys `k0`, `k1`, ..., and `ok`,
 * whether they match.
 */
export function recordsOf({ table, storeId, listing, where, parent }: ListPlan): SQL {
  const keys = listing.order.flatMap(({ column }, index) =>
    column === 'id' ? [] : [sql`, ${searchedColumn(table, column)} as ${sql.raw(`k${index}`)}`],
  );
  return sql`listed as not materialized (select ${table.id} as id${sql.join(keys)}, (${where ?? sql`1`}) as ok
    from ${table} where ${table.store_id} = ${storeId}${parent ? sql` and ${parent}` : sql``})`;
}
