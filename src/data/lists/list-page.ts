import { asc, desc, sql, type SQL } from 'drizzle-orm';
import type { Listing } from '../../base/codecs/listing/options.ts';
import { maxAnswerBytes } from '../../base/errors.ts';
import { abortWith } from '../core/data-errors.ts';
import { preparable } from '../core/drizzle-adapter.ts';
import { prepareText, type Database } from '../core/open-database.ts';
import { rawDatabaseStatement } from '../core/raw.ts';
import { type TypedStatement, prepareStatement, typedStatement } from '../core/statement.ts';
import type {
  Extras,
  SelectedRow,
  SelectOptions,
  StoreStatements,
} from '../core/store-statements.ts';
import type { StoreTable } from '../core/store-table.ts';
import { countList, type ListCount } from './count.ts';
import { sortKeyName } from './indexes.ts';
import { isBehind } from './keyset.ts';
import { planList } from './list-plan.ts';
import { pageIds } from './page-ids.ts';
import { everyRecord, type LinkedFilter, type RecordSet } from './record-source.ts';
import { isTooDeep } from './to-page.ts';

/** The selection of a page. */
export interface PageOptions<E extends Extras, L extends string> extends SelectOptions<E> {
  linked?: Readonly<Record<L, LinkedFilter>>;
  /** The records below a parent. */
  within?: RecordSet;
}

/**
 * The two statements of a page: its records, and their number. A list of all records by one column
 * is read as it comes. For others, the first statement selects the records whose ids `pageIds`
 * finds, and one more to see whether the list continues.
 */
export function pageStatements<T extends StoreTable, E extends Extras>(
  { statements, database }: { statements: StoreStatements; database: Database },
  table: T,
  listing: Listing,
  { where, extras, linked, within }: PageOptions<E, string>,
): [TypedStatement<SelectedRow<T, E>[]>, TypedStatement<Partial<ListCount>[]>] {
  // Of a page that may lie too deep, only the number of records decides.
  const asked = isTooDeep(listing) ? { ...listing, page: 1, perPage: 1 } : listing;
  const { perPage, order, position } = asked;
  const plan = planList(table, statements.store.id, listing, { where, within, linked });
  const isWhole = plan.where === undefined;
  const offset = position ? 0 : (asked.page - 1) * perPage;
  const isDirect = isWhole && plan.isIndexed && (!position || startsBehindId(listing));
  const window = { limit: perPage + 1, offset };
  const selected = isDirect
    ? selectDirectly(statements, table, asked, extras)
    : statements
        .select(table, {
          ids: sql`(${pageIds(plan, window)})`,
          where: plan.parent,
          sortedBy: sortKeys(table, order),
          ...(extras && { extras }),
        })
        // The plus keeps SQLite from walking along an index of the order to find these few ids.
        .orderBy(...orderOf(table, order, sql`+`));
  const computed = Object.keys(extras ?? {});
  const page =
    computed.length > 0 ? boundPage(database, selected, computed, maxAnswerBytes) : selected;
  const count = isWhole
    ? statements.countStatement(table, undefined)
    : rawDatabaseStatement<ListCount>(database, countList(plan, window, position?.total));
  return [page, count];
}

/** A page of all records in the order of an index, perhaps behind one id. */
function selectDirectly<T extends StoreTable, E extends Extras>(
  statements: StoreStatements,
  table: T,
  { order, page, perPage, position }: Listing,
  extras: E | undefined,
): TypedStatement<SelectedRow<T, E>[]> {
  if (position) {
    const ids = order.map((key) => ({ ...key, column: sql`${table.id}`, isNullable: false }));
    return statements
      .select(table, {
        where: isBehind(ids, position),
        sortedBy: sortKeys(table, order),
        ...(extras && { extras }),
      })
      .orderBy(...orderOf(table, order))
      .limit(perPage + 1);
  }
  const names = order.map(({ column, descending }) => `${column}${descending ? ' desc' : ''}`);
  const shape = {
    key: names.join(),
    sortedBy: sortKeys(table, order),
    orderBy: () => orderOf(table, order),
  };
  const window = { limit: perPage, offset: (page - 1) * perPage };
  return statements.selectWindow(table, shape, window, extras);
}

/** Whether the page is all that follows one id, so that no other search is needed. */
const startsBehindId = ({ order, position }: Listing) =>
  position?.isBack === false && order[0]?.column === 'id';

/**
 * The options of a list below a parent: its condition finds the records, which are few next to
 * those of the store.
 */
export function below<E extends Extras>(
  table: StoreTable,
  storeId: number,
  { where, ...options }: PageOptions<E, never>,
): PageOptions<E, never> {
  if (!where || options.within) return { ...options, where };
  const source = {
    ...everyRecord(table, storeId),
    where: sql`${table.store_id} = ${storeId} and ${where}`,
  };
  return { ...options, within: { holds: where, source } };
}

const sortKeys = (table: StoreTable, order: Listing['order']): string[] =>
  order.map(({ column }) => sortKeyName(table, column));

const orderOf = (table: StoreTable, order: Listing['order'], prefix: SQL = sql``): SQL[] =>
  order.map(({ column, descending }) => {
    const columns = table as unknown as Record<string, StoreTable['id']>;
    const expression = sql`${prefix}${columns[sortKeyName(table, column)]}`;
    return descending ? desc(expression) : asc(expression);
  });

/**
 * Makes a page abort its batch if its computed columns hold more than `maxBytes`. So the database
 * does not send an answer that is too large anyway, this isolate does not decode it, and nothing is
 * changed. The rows are computed once.
 */
function boundPage<S extends TypedStatement<unknown>>(
  database: Database,
  page: S,
  columns: readonly string[],
  maxBytes: number,
): S {
  const prepared = prepareStatement(page);
  const { sql, params } = prepared.getQuery();
  const bytes = columns.map((name) => `coalesce(octet_length("${name}"), 0)`).join(' + ');
  const bounded = {
    sql: `select * from (with page as materialized (${sql})
      select * from page where iif(coalesce((select sum(${bytes}) from page), 0) <= ?, 1, ${abortWith('answer_too_large')}))`,
    params: [...params, maxBytes],
  };
  return typedStatement<S>(
    preparable(() => ({
      getQuery: () => bounded,
      stmt: prepareText(database.$client, bounded.sql),
      mapResult: prepared.mapResult.bind(prepared),
    })),
  );
}
