import { and, eq, getTableColumns, getTableName, or, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { Listing } from '../wire/listing.ts';
import { meaningOf } from './failures.ts';
import { orderOf, whereOf } from './filter.ts';
import { countedKinds } from './schema/counted.ts';
import { assertions, totals } from './schema/machinery.ts';
import type { Shard } from './open.ts';
import { answering } from './statement.ts';
import type { Answering, Results, Selection, Statement } from './statement.ts';
import type { Changes, Row, StoreTable, Values } from './table.ts';
import { withDerived } from './derived.ts';
import { register } from './raw.ts';

/** A store as the directory knows it. */
export interface Store {
  id: number;
  alias: string;
  shard: number;
  /** IANA time zone of every shown moment. */
  zone: string;
  /** Address of the shop without a slash at the end. */
  base_url: string;
  active: boolean;
}

/** Computed columns that are read with a record (`db/relations`). */
export type Extras = Record<string, SQL>;

/** A record with what was read along. */
export type Found<T extends StoreTable, E extends Extras> = Row<T> & {
  [K in keyof E]: E[K] extends SQL<infer V> ? V : never;
};

/** One page of records and how many there are in all. */
export interface Page<R> {
  rows: R[];
  total: number;
  listing: Listing;
}

interface ReadOptions<E extends Extras> {
  where?: SQL | undefined;
  extras?: E;
}

/**
 * The data of one store. Every statement it makes names the store, and it has no way to reach another;
 * `guards` run first in every batch and may abort it. Times are epoch milliseconds.
 */
export class StoreDb {
  readonly store: Store;
  /** The moment of the request, which all its writes carry. */
  readonly now: number;
  /** Told after a commit which endpoints have something to deliver. */
  readonly wake: (endpoints: number[]) => void;
  readonly #shard: Shard;
  readonly #guards: readonly Statement[];

  constructor(
    store: Store,
    shard: Shard,
    options: { now: number; wake: (endpoints: number[]) => void; guards?: readonly Statement[] },
  ) {
    this.store = store;
    this.now = options.now;
    this.wake = options.wake;
    this.#shard = shard;
    this.#guards = options.guards ?? [];
    register(this, shard);
  }

  /** Runs statements as one transaction and one round trip. */
  async batch<const S extends readonly Statement[]>(statements: S): Promise<Results<S>> {
    const [first, ...rest] = [...this.#guards, ...statements];
    if (!first) throw new Error('a batch needs a statement');
    try {
      const results: unknown[] = await this.#shard.batch([first, ...rest]);
      // Drizzle types the results of a list of known length; a spread loses the length, not the order.
      return results.slice(this.#guards.length) as Results<S>;
    } catch (error) {
      throw meaningOf(error);
    }
  }

  /** Reads records of this store. */
  select<T extends StoreTable, E extends Extras = {}>(
    table: T,
    { where, extras }: ReadOptions<E> = {},
  ) {
    const named = Object.fromEntries(
      Object.entries(extras ?? {}).map(([name, value]) => [name, value.as(name)]),
    );
    const query = this.#shard
      .select({ ...getTableColumns(table), ...named })
      .from(table as StoreTable)
      .where(and(eq(table.store_id, this.store.id), where))
      .$dynamic();
    return answering<Selection<Found<T, E>>>(query);
  }

  /** The one record with this id, if `where` holds for it. */
  selectOne<T extends StoreTable, E extends Extras = {}>(
    table: T,
    id: number,
    extras?: E,
    where?: SQL,
  ) {
    return this.select(table, { where: and(eq(table.id, id), where), ...(extras && { extras }) });
  }

  /** Adds a record; it answers with the stored one. */
  insertion<T extends StoreTable>(table: T, values: Values<T>, id?: number) {
    const made = { id, store_id: this.store.id, created_at: this.now, updated_at: this.now };
    const query = this.#shard
      .insert(table as StoreTable)
      .values({ ...withDerived(table, values), ...made } as never)
      .returning();
    return answering<Answering<Row<T>[]>>(query);
  }

  /**
   * Changes the records of this store that `where` names, but only those in which a value of `changes`
   * would become another one: `updated_at` moves with a change and with nothing else. `also` is set with
   * it. Answers with what it changed.
   */
  change<T extends StoreTable>(
    table: T,
    where: SQL | undefined,
    changes: Changes<T> | { [K in keyof Changes<T>]: Changes<T>[K] | SQL },
    also: Record<string, SQL> = {},
  ) {
    const set = withDerived(table, changes);
    const columns = getTableColumns(table) as Record<string, StoreTable['id']>;
    const differs = Object.entries(set).map(([name, value]) => {
      const column = columns[name];
      if (!column) throw new Error(`no column ${name}`);
      return sql`${column} is not ${sql.param(value, column)}`;
    });
    const query = this.#shard
      .update(table as StoreTable)
      .set({ ...set, ...also, updated_at: this.now } as never)
      .where(and(eq(table.store_id, this.store.id), where, or(...differs)))
      .returning();
    return answering<Answering<Row<T>[]>>(query);
  }

  /** Removes records of this store for good; answers with what it removed. */
  removal<T extends StoreTable>(table: T, where: SQL | undefined) {
    const query = this.#shard
      .delete(table as StoreTable)
      .where(and(eq(table.store_id, this.store.id), where))
      .returning({ id: table.id });
    return answering<Answering<{ id: number }[]>>(query);
  }

  /** Aborts the batch with a `StaleRevision` unless the condition holds. */
  must(condition: SQL) {
    return this.#shard.run(
      sql`insert into ${assertions} (revision, grant_live) select null, 1 where not (${condition})`,
    );
  }

  /** Aborts the batch with a `StaleRevision` unless the statement before it changed something. */
  mustHaveChanged() {
    return this.must(sql`changes() > 0`);
  }

  /** How many records the store has, or how many a condition names. */
  count(table: StoreTable, where: SQL | undefined) {
    const kind = getTableName(table);
    const counted = !where && (countedKinds as readonly string[]).includes(kind);
    return answering<Answering<{ total: number }[]>>(
      counted
        ? this.#shard
            .select({ total: totals.total })
            .from(totals)
            .where(and(eq(totals.store_id, this.store.id), eq(totals.kind, kind)))
        : this.#shard
            .select({ total: sql<number>`count(*)`.as('total') })
            .from(table)
            .where(and(eq(table.store_id, this.store.id), where)),
    );
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

  /** A page of a list and its total. One round trip, two statements. */
  async page<T extends StoreTable, E extends Extras = {}>(
    table: T,
    listing: Listing,
    options: ReadOptions<E> = {},
  ): Promise<Page<Found<T, E>>> {
    const [rows, totals] = await this.batch(this.#pageStatements(table, listing, options));
    return { rows, total: totals[0]?.total ?? 0, listing };
  }

  /** The same below a parent; `undefined` when this store has no such parent. One round trip. */
  async pageUnder<T extends StoreTable, E extends Extras = {}>(
    parent: StoreTable,
    parentId: number,
    table: T,
    listing: Listing,
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
    listing: Listing,
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
