import { getTableName, sql, type SQL } from 'drizzle-orm';
import { totals } from '../schema/store/internal-tables.ts';
import { recordsOf, type ListPlan } from './list-plan.ts';
import { maxToSort, walksOnly } from './page-ids.ts';
import { candidateIds, maxLookedAt, maxSorted } from './record-source.ts';
import { walkOf, type PageWindow } from './walk-list.ts';

/** How many records a filtered list has, and how it continues. */
export interface ListCount {
  total: number;
  /** 1 if there may be more than `total`. */
  is_capped: number;
  /**
   * JSON of the sort values after which the list continues, although the page has no more record.
   */
  keys: string | null;
}

/**
 * Counts the matching records of a filtered list, up to a bound. `capped` is the total that an
 * earlier page of a walk found to be capped, which is not counted again. `t0`, `t1`, ... hold the
 * numbers of candidates and of matches of each source, and are only computed if needed; `bound`
 * holds the bound.
 */
export function countList(plan: ListPlan, window: PageWindow, capped: number | undefined): SQL {
  const isLookedUp = !plan.isExact && capped === undefined;
  // Without a source, the first records of the store are examined.
  const sources = plan.sources.length > 0 ? plan.sources : [undefined];
  const tallies = sources.map((source, index) => {
    const found = source
      ? sql`(${candidateIds(source, sql`(select n + 1 from bound)`)}) candidate`
      : sql`(select listed.ok from listed order by listed.id limit (select n + 1 from bound))`;
    const records =
      isLookedUp && source ? sql`left join listed on listed.id = candidate.id` : sql``;
    const matches = isLookedUp ? sql`cast(total(ok) as integer)` : sql`count(*)`;
    return sql`${tally(index)} as materialized (select count(*) as n, ${matches} as matches
      from ${found} ${records})`;
  });
  const fits = sources.map((_, index) => sql`not ${hasMore(index, sql`(select n from bound)`)}`);
  const cases = fits.map((fit, index) => sql`when ${fit} then ${matchesOf(index)}`);
  const total =
    capped === undefined
      ? sql`case ${sql.join(cases, sql` `)} else min(${matchesOf(0)}, (select n from bound)) end as total,
        not (${sql.join(fits, sql` or `)}) as is_capped`
      : sql`${capped} as total, 1 as is_capped`;
  const bound = capped === undefined ? boundOf(plan) : sql`${maxToSort(plan)}`;
  const tables = [recordsOf(plan), sql`bound as materialized (select ${bound} as n)`, ...tallies];
  return sql`select * from (with ${sql.join(tables, sql`, `)}
    select ${total}, ${endOf(plan, window)} as keys)`;
}

/**
 * How many candidates are counted. In a large store, examining each of them would delay all other
 * stores.
 */
function boundOf({ isExact, table, storeId }: ListPlan): SQL {
  if (isExact) return sql`${maxLookedAt}`;
  const records = sql`(select ${totals.total} from ${totals} where ${totals.store_id} = ${storeId}
    and ${totals.kind} = ${getTableName(table)})`;
  return sql`iif(${records} > ${maxLookedAt}, ${maxSorted}, ${maxLookedAt})`;
}

const tally = (index: number) => sql.raw(`t${index}`);

const hasMore = (index: number, limit: number | SQL) =>
  sql`(select n from ${tally(index)}) > ${limit}`;

const matchesOf = (index: number) => sql`(select matches from ${tally(index)})`;

/**
 * Where a walk that did not fill the page ends; null if it filled the page, or came to the end of
 * the list.
 */
function endOf(plan: ListPlan, window: PageWindow): SQL {
  if (!plan.isIndexed || !plan.where) return sql`null`;
  const walk = walkOf(plan);
  const isShort = sql`(select count(*) from (${walk.matches(window)})) < ${window.limit}`;
  // A walk along fewer candidates than were counted comes to their end.
  const isWalked = walksOnly(plan)
    ? [hasMore(0, sql`(select n from bound)`)]
    : plan.sources.map((_, index) => hasMore(index, maxToSort(plan)));
  return sql`case when ${sql.join([...isWalked, isShort], sql` and `)} then (${walk.end}) end`;
}
