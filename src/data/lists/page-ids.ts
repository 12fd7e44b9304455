import { sql, type SQL } from 'drizzle-orm';
import type { ListPosition } from '../../base/codecs/listing/options.ts';
import { abortWith } from '../core/data-errors.ts';
import { isBehind, orderOf } from './keyset.ts';
import { recordsOf, type ListPlan } from './list-plan.ts';
import { candidateIds, type RecordSource, maxLookedAt, maxSorted } from './record-source.ts';
import { limitIf, walkOf, type PageWindow } from './walk-list.ts';

/**
 * The first candidates of a source, and how many they are: each common table expression is computed
 * once.
 */
const candidateSet = (source: RecordSource, index: number, limit: number): SQL[] => [
  sql`${candidates(index)} as materialized (${candidateIds(source, limit + 1)})`,
  sql`${counted(index)} as materialized (select count(*) as n from ${candidates(index)})`,
];

const candidates = (index: number) => sql.raw(`s${index}`);
const counted = (index: number) => sql.raw(`c${index}`);

const isDense = (index: number, limit: number) => sql`(select n from ${counted(index)}) > ${limit}`;

/**
 * The values of a position as `v`: D1 binds at most 100 values, and conditions on several keys
 * repeat theirs.
 */
const valuesOf = (position: ListPosition | undefined): SQL[] =>
  position
    ? [
        sql`v as materialized (select ${sql.join(
          position.values.map((value, depth) => sql`${value} as ${sql.raw(`v${depth}`)}`),
          sql`, `,
        )})`,
      ]
    : [];

/** How many candidates are sorted. Without an index for the order, only sorting remains. */
export const maxToSort = ({ isIndexed }: ListPlan) => (isIndexed ? maxSorted : maxLookedAt);

/**
 * Whether the page is found by a walk alone: nothing selects its records, or one source has them in
 * the order of the list.
 */
export const walksOnly = ({ sources, listing }: ListPlan) =>
  sources.length === 0 ||
  (sources.length === 1 && listing.order[0]?.column === 'id' && sources[0]?.isById === true);

/**
 * Selects the ids of a page. The first source with few candidates decides: they are sorted. If all
 * have many, a walk along the order of the list meets enough of them. If no index has that order,
 * the batch is aborted.
 */
export function pageIds(plan: ListPlan, window: PageWindow): SQL {
  const { sources, keys, listing, isIndexed } = plan;
  const walk = walkOf(plan);
  if (walksOnly(plan)) return sql`with ${recordsOf(plan)} select id from (${walk.matches(window)})`;
  const most = maxToSort(plan);
  const behind = listing.position
    ? sql` and ${isBehind(keys, listing.position, (depth) => sql.raw(`(select v${depth} from v)`))}`
    : sql``;
  const branches = sources.map((_, index) => {
    const dense = sources.slice(0, index).map((_source, earlier) => isDense(earlier, most));
    const conditions = [...dense, sql`not ${isDense(index, most)}`];
    return sql`select id from (select listed.id from ${candidates(index)} candidate cross join listed on listed.id = candidate.id
      where listed.ok${behind} order by ${orderOf(keys)}
      limit ${limitIf(window.limit, sql.join(conditions, sql` and `))} offset ${window.offset})`;
  });
  const sets = sources.flatMap((source, index) => candidateSet(source, index, most));
  const allDense = sql.join(
    sources.map((_, index) => isDense(index, most)),
    sql` and `,
  );
  const otherwise = isIndexed
    ? sql`select id from (${walk.matches(window, allDense)})`
    : sql`select iif(${allDense}, ${sql.raw(abortWith('list_too_long'))}, null)`;
  return sql`with ${sql.join([recordsOf(plan), ...valuesOf(listing.position), ...sets], sql`, `)}
    ${sql.join([...branches, otherwise], sql` union all `)}`;
}
