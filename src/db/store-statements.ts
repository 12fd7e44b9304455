import { and, eq, getTableColumns, getTableName, or, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import { withDerived } from './derived.ts';
import type { Shard } from './open.ts';
import { plainStatement, register } from './raw.ts';
import { countedKinds } from './schema/counted.ts';
import { assertions, totals } from './schema/machinery.ts';
import { answering } from './statement.ts';
import type { Answering, Selection } from './statement.ts';
import type { Changes, Row, StoreTable, Values } from './table.ts';

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
  /** A store to try things with: its payments may be simulated. */
  test: boolean;
}

/** Computed columns that are read with a record (`db/relations`). */
export type Extras = Record<string, SQL>;

/** A record with what was read along. */
export type Found<T extends StoreTable, E extends Extras> = Row<T> & {
  [K in keyof E]: E[K] extends SQL<infer V> ? V : never;
};

/** Which records, and what to compute with them. */
export interface ReadOptions<E extends Extras> {
  where?: SQL | undefined;
  extras?: E;
}

/** The statements that can be made on the data of one store; every one of them names the store. */
export class StoreStatements {
  readonly store: Store;
  /** The moment of the request, which all its writes carry; epoch milliseconds. */
  readonly now: number;
  readonly #shard: Shard;

  constructor(store: Store, shard: Shard, now: number) {
    this.store = store;
    this.now = now;
    this.#shard = shard;
    register(this, shard);
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
  insertion<T extends StoreTable>(
    table: T,
    values: Values<T> | { [K in keyof Values<T>]: Values<T>[K] | SQL },
    id?: number,
  ) {
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
    // With nothing to compare, only what is set besides is a change.
    if (differs.length === 0 && Object.keys(also).length === 0) differs.push(sql`0`);
    const query = this.#shard
      .update(table as StoreTable)
      .set({ ...set, ...also, updated_at: this.now })
      .where(and(eq(table.store_id, this.store.id), where, or(...differs)))
      .returning();
    return answering<Answering<Row<T>[]>>(query);
  }

  /** Removes records of this store for good; answers with what it removed. */
  removal(table: StoreTable, where: SQL | undefined) {
    const query = this.#shard
      .delete(table)
      .where(and(eq(table.store_id, this.store.id), where))
      .returning({ id: table.id });
    return answering<Answering<{ id: number }[]>>(query);
  }

  /** Aborts the batch with a `StaleRevision` unless the condition holds. */
  must(condition: SQL) {
    return plainStatement(
      this.#shard,
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
    if (where || !(countedKinds as readonly string[]).includes(kind)) {
      return answering<Answering<{ total: number }[]>>(
        this.#shard
          .select({ total: sql<number>`count(*)`.as('total') })
          .from(table)
          .where(and(eq(table.store_id, this.store.id), where)),
      );
    }
    // In plain SQL, since every page has it: to build a query takes Drizzle longer than to write one down.
    return plainStatement<{ total: number }>(
      this.#shard,
      sql`select ${totals.total} from ${totals} where ${totals.store_id} = ${this.store.id} and ${totals.kind} = ${kind}`,
    );
  }
}
