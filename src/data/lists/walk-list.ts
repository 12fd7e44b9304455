import { sql, type SQL } from 'drizzle-orm';
import { rangesBehind } from './keyset.ts';
import type { ListPlan } from './list-plan.ts';
import { candidateIds, isBeyond, type RecordSource, maxLookedAt } from './record-source.ts';

/** Which part of a list a page shows. */
export interface PageWindow {
  limit: number;
  offset: number;
}

/** A way along an index in the order of the list, which ends after `maxLookedAt` records. */
export interface Walk {
  /**
   * Selects the ids of the matching records that it passes; none unless the condition `isNeeded`
   * holds.
   */
  matches: (window: PageWindow, isNeeded?: SQL) => SQL;
  /**
   * Selects as `keys` the sort values of the last record that it examines; no row if the list ends
   * before.
   */
  end: SQL;
}

/**
 * The way on from the position of the list: along the ids of a source if they are in order, else
 * along an index.
 */
export function walkOf(plan: ListPlan): Walk {
  const [first] = plan.listing.order;
  const source = plan.sources.find(({ isById }) => isById);
  return first?.column === 'id' && source ? walkAlong(source, plan) : walkStore(plan);
}

function walkAlong(source: RecordSource, { keys, listing }: ListPlan): Walk {
  const descending = keys[0]?.descending === true;
  const last = listing.position?.values[0];
  const range = typeof last === 'number' ? isBeyond(source, last, descending) : undefined;
  const candidates = (limit: SQL) => candidateIds(source, limit, { range, descending });
  return {
    matches: (window, isNeeded) =>
      sql`select listed.id from (${candidates(budget(isNeeded))}) candidate cross join listed on listed.id = candidate.id where listed.ok ${toLimit(window)}`,
    end: sql`select json_array(id) as keys from (${candidates(budget())}) limit 1 offset ${maxLookedAt - 1}`,
  };
}

function walkStore({ keys, listing, where }: ListPlan): Walk {
  const columns = sql.join(
    keys.map(({ column }) => column),
    sql`, `,
  );
  const ranges = rangesBehind(keys, listing.position);
  const passed = (limit: SQL) =>
    sql`select * from (${sql.join(
      ranges.map(
        ({ where: range, order }) =>
          sql`select * from (select ${columns}, listed.ok from listed${
            range ? sql` where ${range}` : sql``
          } order by ${order} limit ${limit})`,
      ),
      sql` union all `,
    )}) limit ${limit}`;
  return {
    matches: (window, isNeeded) =>
      where
        ? sql`select id from (${passed(budget(isNeeded))}) where ok ${toLimit(window)}`
        : sql`select id from (${passed(sql`${window.limit + window.offset}`)}) ${toLimit(window)}`,
    end: sql`select json_array(${sql.join(
      keys.map((_, index) => columnName(index, keys.length)),
      sql`, `,
    )}) as keys from (${passed(budget())}) limit 1 offset ${maxLookedAt - 1}`,
  };
}

/**
 * SQLite runs a subquery before it tests a condition around it, but not one whose limit is zero.
 */
export const limitIf = (limit: number, isNeeded: SQL | undefined) =>
  isNeeded ? sql`iif(${isNeeded}, ${limit}, 0)` : sql`${limit}`;

const budget = (isNeeded?: SQL) => limitIf(maxLookedAt, isNeeded);

const columnName = (index: number, count: number) =>
  sql.raw(index === count - 1 ? 'id' : `k${index}`);

const toLimit = ({ limit, offset }: PageWindow) => sql`limit ${limit} offset ${offset}`;
