import type { Listing, ListPosition, SortValue } from '../../base/codecs/listing/options.ts';
import { deepPageMessage, isDeepPage } from '../../base/codecs/listing/parse-parameters.ts';
import { HttpError } from '../../base/errors.ts';
import type { StoreTable } from '../core/store-table.ts';
import type { ListCount } from './count.ts';
import { sortKeyName } from './indexes.ts';

/** One page of records, and the number of records on all pages. */
export interface PageOfRows<R> {
  rows: R[];
  total: number;
  /** Whether there may be more than `total`. */
  isCapped: boolean;
  /**
   * Where the neighbour pages start or end, for cursors. Without `previous` the link names the
   * page.
   */
  next: ListPosition | undefined;
  previous: ListPosition | undefined;
  listing: Listing;
}

/** Whether a page number leads further than records are skipped for. A cursor leads anywhere. */
export const isTooDeep = (listing: Listing): boolean =>
  listing.position === undefined && isDeepPage(listing);

/**
 * Builds a page of the results of `pageStatements`. `found` holds one record more than the page if
 * it was looked for. A page past the end is empty; one that exists and lies too deep is a 400.
 */
export function toPage<R extends object>(
  table: StoreTable,
  found: readonly R[],
  [count]: readonly Partial<ListCount>[],
  listing: Listing,
): PageOfRows<R> {
  const { perPage, position, page } = listing;
  const { total = 0, is_capped: isCapped, keys = null } = count ?? {};
  if (isTooDeep(listing)) {
    if (isCapped === 1 || total > (page - 1) * perPage) {
      throw new HttpError('invalid_query', { errors: { page: [deepPageMessage(perPage)] } });
    }
    return { rows: [], total, isCapped: false, next: undefined, previous: undefined, listing };
  }
  const isBack = position?.isBack === true;
  const hasMore = found.length > perPage;
  const rows = isBack && hasMore ? found.slice(1) : found.slice(0, perPage);
  const pageBefore = Math.max(1, page - 1);
  const place = (values: readonly SortValue[], leadsBack: boolean): ListPosition => ({
    page: leadsBack ? pageBefore : page + 1,
    values,
    isBack: leadsBack,
    ...(isCapped === 1 && { total }),
  });
  const beside = (row: R | undefined, leadsBack: boolean) =>
    row && place(valuesOf(table, row, listing), leadsBack);
  // All records of a store are counted, so none has to be looked for.
  const isCounted = isCapped === undefined && !position;
  const goesOn = isCounted ? page * perPage < total : hasMore;
  const isKnownEnd = isCapped === 0 && !position && (page - 1) * perPage + rows.length >= total;
  // A walk that did not fill the page continues behind the last record that it examined.
  const walkEnd =
    keys === null || isKnownEnd ? undefined : place(JSON.parse(keys) as SortValue[], isBack);
  const onward = goesOn ? beside(isBack ? rows[0] : rows.at(-1), isBack) : walkEnd;
  const backward = position && beside(isBack ? rows.at(-1) : rows[0], !isBack);
  return {
    rows,
    total,
    isCapped: isCapped === 1,
    next: isBack ? backward : onward,
    previous: isBack ? onward : backward,
    listing,
  };
}

function valuesOf(table: StoreTable, row: object, { order }: Listing): SortValue[] {
  const values = row as Readonly<Record<string, SortValue | boolean>>;
  return order.map(({ column }) => {
    const value = values[sortKeyName(table, column)] ?? null;
    return typeof value === 'boolean' ? Number(value) : value;
  });
}
