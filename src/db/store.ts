import { and, eq } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { Listing } from '../wire/listing.ts';
import { Claim, type KeyedRequest } from './claim.ts';
import { meaningOf } from './failures.ts';
import { orderOf, whereOf } from './filter.ts';
import type { Shard } from './open.ts';
import type { Results, Statement } from './statement.ts';
import { StoreStatements } from './store-statements.ts';
import type { Extras, Found, ReadOptions, Store } from './store-statements.ts';
import type { Changes, Row, StoreTable, Values } from './table.ts';
import type { LinkedColumn } from './linked-columns.ts';

export type { Store } from './store-statements.ts';

/** What a listing may ask of a table. */
type ColumnOf<T extends StoreTable> = (keyof Row<T> & string) | LinkedColumn;

/** One page of records and how many there are in all. */
export interface Page<R> {
  rows: R[];
  total: number;
  listing: Listing;
}

/**
 * The data of one store: it has no way to reach another. `guards` run first in every batch and may abort it.
 */
export class StoreDb extends StoreStatements {
  /** Told after a commit which endpoints have something to deliver, and whether they are slow ones. */
  readonly wake: (endpoints: number[], areSlow?: boolean) => void;
  readonly #shard: Shard;
  readonly #guards: readonly Statement[];
  #isAssured: boolean;
  #claim: Claim | undefined;

  constructor(
    store: Store,
    shard: Shard,
    options: { now: number; wake: StoreDb['wake']; guards?: readonly Statement[] },
  ) {
    super(store, shard, options.now);
    this.wake = options.wake;
    this.#shard = shard;
    this.#guards = options.guards ?? [];
    this.#isAssured = this.#guards.length === 0;
  }

  /** Makes the first batch that changes something take this key, or be aborted with `KeyTaken`. */
  claim(request: KeyedRequest, answer: string | null): Claim {
    return (this.#claim = new Claim(this, request, answer));
  }

  /** Runs statements as one transaction and one round trip. */
  async batch<const S extends readonly Statement[]>(statements: S): Promise<Results<S>> {
    const claim = this.#claim?.joins(statements) ? this.#claim : undefined;
    const around = claim?.around();
    const before = [...this.#guards, ...(around ? [around.first] : [])];
    const [first, ...rest] = [...before, ...statements, ...(around ? [around.last] : [])];
    if (!first) throw new Error('a batch needs a statement');
    try {
      const results: unknown[] = await this.#shard.batch([first, ...rest]);
      this.#isAssured = true;
      if (claim) claim.isTaken = (results.at(-1) as unknown[]).length === 0;
      // Drizzle types the results of a list of known length; a spread loses the length, not the order.
      return results.slice(before.length, before.length + statements.length) as Results<S>;
    } catch (error) {
      throw meaningOf(error);
    }
  }

  /** Runs the guards by themselves when no batch has: for rows that read nothing, and refusals. */
  async assured(): Promise<void> {
    if (!this.#isAssured) await this.batch([]);
  }

  /** A record, or `undefined` when this store has none with the id. One round trip. */
  async find<T extends StoreTable, E extends Extras = {}>(
    table: T,
    id: number,
    extras?: E,
    where?: SQL,
  ) {
    const [rows] = await this.batch([this.selectOne(table, id, extras, where)]);
    return rows[0];
  }

  /** A page of a list and its total, as they are after `first`. One round trip, two statements. */
  async page<T extends StoreTable, E extends Extras = {}>(
    table: T,
    listing: Listing<ColumnOf<T>>,
    options: ReadOptions<E> = {},
    first: readonly Statement[] = [],
  ): Promise<Page<Found<T, E>>> {
    const [page, count] = this.#pageStatements(table, listing, options);
    const results = await this.batch([...first, page, count]);
    const [rows, totals] = results.slice(-2) as Results<[typeof page, typeof count]>;
    return { rows, total: totals[0]?.total ?? 0, listing };
  }

  /** The same below a parent; `undefined` when this store has no such parent. One round trip. */
  async pageUnder<T extends StoreTable, E extends Extras = {}>(
    parent: StoreTable,
    parentId: number,
    table: T,
    listing: Listing<ColumnOf<T>>,
    options: ReadOptions<E> = {},
  ): Promise<Page<Found<T, E>> | undefined> {
    const [parents, rows, totals] = await this.batch([
      this.selectOne(parent, parentId),
      ...this.#pageStatements(table, listing, options),
    ]);
    return parents.length > 0 ? { rows, total: totals[0]?.total ?? 0, listing } : undefined;
  }

  #pageStatements<T extends StoreTable, E extends Extras>(
    table: T,
    listing: Listing<ColumnOf<T>>,
    options: ReadOptions<E>,
  ) {
    const where = and(whereOf(table, listing.where), options.where);
    const rows = this.select(table, { ...options, where })
      .orderBy(...orderOf(table, listing.order))
      .limit(listing.perPage)
      .offset((listing.page - 1) * listing.perPage);
    return [rows, this.count(table, where)] as const;
  }

  /** Adds a record. One round trip. */
  async insert<T extends StoreTable>(table: T, values: Values<T>) {
    const [rows] = await this.batch([this.insertion(table, values)]);
    return rows[0];
  }

  /** Changes a record and answers with it, changed or not. One round trip. */
  async update<T extends StoreTable>(table: T, id: number, changes: Changes<T>) {
    const [, rows] = await this.batch([
      this.change(table, eq(table.id, id), changes),
      this.selectOne(table, id),
    ]);
    return rows[0];
  }

  /** Removes a record and, in the same transaction, what `first` does to related ones. One round trip. */
  async remove(table: StoreTable, id: number, first: readonly Statement[] = []) {
    const results = await this.batch([...first, this.removal(table, eq(table.id, id))]);
    const removed = results.at(-1) as { id: number }[];
    return removed[0];
  }
}
