import { and, eq, type SQL } from 'drizzle-orm';
import type { Listing } from '../../codecs/listing/listing.ts';
import { answerTooLarge, maxAnswerBytes } from '../../errors.ts';
import { boundPage } from './bounded-page.ts';
import { toAppError } from './errors.ts';
import { toOrderBy, toWhere, type LinkedFilter } from './filter.ts';
import { IdempotencyClaim, type IdempotencyKey } from './idempotency.ts';
import type { Database } from './open.ts';
import type { BatchResults, Statement } from './statement.ts';
import {
  StoreStatements,
  type Extras,
  type SelectedRow,
  type SelectOptions,
} from './store-statements.ts';
import type { Store } from './store.ts';
import type { InsertValues, Row, StoreTable, UpdateValues } from './table.ts';

/** A listing of a table. It may also filter by linked ids, if the options of the page have a filter `L` for them. */
type ListingOf<T extends StoreTable, L extends string> = Listing<
  (keyof Row<T> & string) | NoInfer<L>
>;

/** What a page selects. */
interface PageOptions<E extends Extras, L extends string> extends SelectOptions<E> {
  linked?: Readonly<Record<L, LinkedFilter>>;
}

/** One page of records, and the number of records on all pages. */
export interface Page<R> {
  rows: R[];
  total: number;
  listing: Listing;
}

/** Throws a 400 for a page that `boundPage` emptied: it has no row, although the list goes on. */
function toPage<R>(rows: R[], [count]: readonly { total: number }[], listing: Listing): Page<R> {
  const total = count?.total ?? 0;
  if (rows.length === 0 && total > (listing.page - 1) * listing.perPage) throw answerTooLarge();
  return { rows, total, listing };
}

/**
 * A handle on the data of one store; no method reaches another store. `guards` run first in every batch and may
 * abort it.
 */
export class StoreDb extends StoreStatements {
  /** Called after a commit with the endpoints that have deliveries to send, and whether they are slow. */
  readonly wakeEndpoints: (endpoints: number[], areSlow?: boolean) => void;
  /** The bytes of events and of stored responses that this store may record on a day; `undefined` for internal writers. */
  readonly eventBudget: number | undefined;
  readonly #database: Database;
  readonly #guards: readonly Statement[];
  #isGuarded: boolean;
  #claim: IdempotencyClaim | undefined;

  constructor(
    store: Store,
    database: Database,
    options: {
      now: number;
      wakeEndpoints: StoreDb['wakeEndpoints'];
      guards?: readonly Statement[];
      eventBudget?: number;
    },
  ) {
    super(store, database, options.now);
    this.wakeEndpoints = options.wakeEndpoints;
    this.eventBudget = options.eventBudget;
    this.#database = database;
    this.#guards = options.guards ?? [];
    this.#isGuarded = this.#guards.length === 0;
  }

  /** Makes the first batch that changes data record this key, or abort with `IdempotencyKeyInUse`. */
  claimIdempotencyKey(key: IdempotencyKey, response: string | null): IdempotencyClaim {
    return (this.#claim = new IdempotencyClaim(this, key, response));
  }

  /** Runs statements as one transaction, in one round trip. */
  async batch<const S extends readonly Statement[]>(statements: S): Promise<BatchResults<S>> {
    const claim = this.#claim?.appliesTo(statements) ? this.#claim : undefined;
    const wrapping = claim?.wrap();
    const before = [...this.#guards, ...(wrapping ? [wrapping.first] : [])];
    const [first, ...rest] = [...before, ...statements, ...(wrapping ? [wrapping.last] : [])];
    if (!first) throw new Error('a batch needs a statement');
    try {
      const results: unknown[] = await this.#database.batch([first, ...rest]);
      this.#isGuarded = true;
      if (claim) claim.isClaimed = (results.at(-1) as unknown[]).length === 0;
      // Drizzle types the results of a tuple; the spread above loses its length, not its order.
      return results.slice(before.length, before.length + statements.length) as BatchResults<S>;
    } catch (error) {
      throw toAppError(error);
    }
  }

  /** Runs the guards by themselves unless a batch has run them: for operations and errors that read no data. */
  async ensureGuarded(): Promise<void> {
    if (!this.#isGuarded) await this.batch([]);
  }

  /** Returns a record, or `undefined` if the store has none with this id. One round trip. */
  async find<T extends StoreTable, E extends Extras = {}>(
    table: T,
    id: number,
    extras?: E,
    where?: SQL,
  ) {
    const [rows] = await this.batch([this.selectOne(table, id, extras, where)]);
    return rows[0];
  }

  /** Returns a page of a list and its total, both as of after the statements `first`. One round trip, two statements. */
  async page<T extends StoreTable, E extends Extras = {}, L extends string = never>(
    table: T,
    listing: ListingOf<T, L>,
    options: PageOptions<E, L> = {},
    first: readonly Statement[] = [],
  ): Promise<Page<SelectedRow<T, E>>> {
    const [page, count] = this.#pageStatements(table, listing, options);
    const results = await this.batch([...first, page, count]);
    const [rows, totals] = results.slice(-2) as BatchResults<[typeof page, typeof count]>;
    return toPage(rows, totals, listing);
  }

  /** Returns a page of a list below a parent record; `undefined` if the store has no such parent. One round trip. */
  async pageOfParent<T extends StoreTable, E extends Extras = {}>(
    parent: StoreTable,
    parentId: number,
    table: T,
    listing: ListingOf<T, never>,
    options: SelectOptions<E> = {},
  ): Promise<Page<SelectedRow<T, E>> | undefined> {
    const [parents, rows, totals] = await this.batch([
      this.selectOne(parent, parentId),
      ...this.#pageStatements(table, listing, options),
    ]);
    return parents.length > 0 ? toPage(rows, totals, listing) : undefined;
  }

  #pageStatements<T extends StoreTable, E extends Extras, L extends string>(
    table: T,
    listing: ListingOf<T, L>,
    options: PageOptions<E, L>,
  ) {
    const where = and(toWhere(table, listing.where, options.linked), options.where);
    const rows = this.select(table, { ...options, where })
      .orderBy(...toOrderBy(table, listing.order))
      .limit(listing.perPage)
      .offset((listing.page - 1) * listing.perPage);
    const computed = Object.keys(options.extras ?? {});
    const bounded =
      computed.length > 0 ? boundPage(this.#database, rows, computed, maxAnswerBytes) : rows;
    return [bounded, this.countStatement(table, where)] as const;
  }

  /** Inserts a record and returns it. One round trip. */
  async insert<T extends StoreTable>(table: T, values: InsertValues<T>) {
    const [rows] = await this.batch([this.insertStatement(table, values)]);
    return rows[0];
  }

  /** Updates a record and returns it, changed or not; `undefined` if the store has none with this id. One round trip. */
  async update<T extends StoreTable>(table: T, id: number, changes: UpdateValues<T>) {
    const [, rows] = await this.batch([
      this.updateStatement(table, eq(table.id, id), changes),
      this.selectOne(table, id),
    ]);
    return rows[0];
  }

  /** Deletes a record, after the statements `first` in the same transaction. One round trip. */
  async remove(table: StoreTable, id: number, first: readonly Statement[] = []) {
    const results = await this.batch([...first, this.deleteStatement(table, eq(table.id, id))]);
    const removed = results.at(-1) as { id: number }[];
    return removed[0];
  }
}
