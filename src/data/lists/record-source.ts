import { sql, type SQL } from 'drizzle-orm';
import type { StoreTable } from '../core/store-table.ts';

/**
 * A list examines no more records than this before it answers, counts no further, and skips no
 * further for `page`.
 */
export const maxLookedAt = 10_000;

/**
 * So many candidates are sorted rather than found by walking along the order of the list. In a
 * store with more than `maxLookedAt` records, no more are examined to count them.
 */
export const maxSorted = 1_000;

/** A set of candidates that an index finds without reading other records. */
export interface RecordSource {
  /** An expression of `from`: the id times `scale`, plus something below `scale`. */
  key: SQL;
  scale: number;
  from: SQL;
  where: SQL;
  /** Whether the index gives the candidates in the order of their ids, each once. */
  isById: boolean;
  /** Whether every candidate is a record of the store that satisfies the condition. */
  isExact: boolean;
}

/** Selects the ids of the first candidates. */
export function candidateIds(
  { key, scale, from, where, isById }: RecordSource,
  limit: number | SQL,
  { range, descending = false }: { range?: SQL | undefined; descending?: boolean } = {},
): SQL {
  const id = scale === 1 ? sql`${key} as id` : sql`${key} / ${sql.raw(String(scale))} as id`;
  const order = isById ? sql` order by ${key}${descending ? sql` desc` : sql``}` : sql``;
  return sql`select ${isById ? sql`` : sql`distinct `}${id} from ${from} where ${where}${
    range ? sql` and ${range}` : sql``
  }${order} limit ${limit}`;
}

/** The condition that a candidate has a larger, or a smaller, id. */
export const isBeyond = ({ key, scale }: RecordSource, id: number, descending: boolean): SQL =>
  descending ? sql`${key} < ${id * scale}` : sql`${key} >= ${(id + 1) * scale}`;

/** All records of the store. */
export const everyRecord = (table: StoreTable, storeId: number): RecordSource => ({
  key: sql`${table.id}`,
  scale: 1,
  from: sql`${table}`,
  where: sql`${table.store_id} = ${storeId}`,
  isById: true,
  isExact: true,
});

/** Some records: as a condition of a record, and where to find them. */
export interface RecordSet {
  holds: SQL;
  source: RecordSource;
}

/** The records that are linked with any of these ids. */
export type LinkedFilter = (ids: readonly unknown[]) => RecordSet;

/**
 * Filters by ids that are no columns of the table (`queries/links.ts`), by the name that a listing
 * gives them.
 */
export type LinkedFilters = Readonly<Record<string, LinkedFilter>>;
