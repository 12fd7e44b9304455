import { and, eq, getTableColumns, getTableName, is, or, SQL, sql } from 'drizzle-orm';
import { countedKinds, totals } from '../schema/store/internal-tables.ts';
import { abortUnless } from './abort.ts';
import {
  withDerivedColumns,
  type InsertValues,
  type Row,
  type StoreTable,
  type UpdateValues,
} from './define-table.ts';
import type { Database } from './open-database.ts';
import { rawDatabaseStatement, registerDatabase } from './raw.ts';
import { rowDecoder } from './row-decoder.ts';
import { shapedStatement } from './statement-shape.ts';
import { decodedSelect, typedStatement, type TypedStatement } from './statement.ts';
import type { Store, StoreScope } from './store.ts';

const { placeholder } = sql;

/** Computed columns that are selected with a record (`queries/relations.ts`). */
export type Extras = Record<string, SQL>;

/** A record with its computed columns. */
export type SelectedRow<T extends StoreTable, E extends Extras> = Row<T> & {
  [K in keyof E]: E[K] extends SQL<infer V> ? V : never;
};

/** Which records to select, and which computed columns with them. */
export interface SelectOptions<E extends Extras> {
  where?: SQL | undefined;
  extras?: E;
}

/** Builds statements on the data of one store. Each of them is restricted to that store. */
export class StoreStatements implements StoreScope {
  readonly store: Store;
  readonly now: number;
  readonly #database: Database;

  constructor(store: Store, database: Database, now: number) {
    this.store = store;
    this.now = now;
    this.#database = database;
    registerDatabase(this, database);
  }

  /** Selects records of this store. */
  select<T extends StoreTable, E extends Extras = {}>(
    table: T,
    { where, extras }: SelectOptions<E> = {},
  ) {
    const aliased = Object.fromEntries(
      Object.entries(extras ?? {}).map(([name, value]) => [name, value.as(name)]),
    );
    const query = this.#database
      .select({ ...getTableColumns(table), ...aliased })
      .from(table as StoreTable)
      .where(and(eq(table.store_id, this.store.id), where))
      .$dynamic();
    return decodedSelect<SelectedRow<T, E>>(query, rowDecoder(table, extras));
  }

  /**
   * Selects a window of all records. `order` names the result of `orderBy`, which must hold no value of the request.
   */
  selectWindow<T extends StoreTable>(
    table: T,
    { order, orderBy }: { order: string; orderBy: () => SQL[] },
    window: { limit: number; offset: number },
  ) {
    const build = () =>
      this.#database
        .select()
        .from(table as StoreTable)
        .where(eq(table.store_id, placeholder('store_id')))
        .orderBy(...orderBy())
        .limit(placeholder('limit'))
        .offset(placeholder('offset'));
    const values = { ...window, store_id: this.store.id };
    return shapedStatement<Row<T>>(
      this.#database,
      table,
      { key: `window ${order}`, build },
      values,
    );
  }

  /** Selects the record with this id, provided that `where` holds for it. */
  selectOne<T extends StoreTable, E extends Extras = {}>(
    table: T,
    id: number,
    extras?: E,
    where?: SQL,
  ) {
    if (where || extras) {
      return this.select(table, { where: and(eq(table.id, id), where), ...(extras && { extras }) });
    }
    const build = () =>
      this.#database
        .select()
        .from(table as StoreTable)
        .where(and(eq(table.store_id, placeholder('store_id')), eq(table.id, placeholder('id'))));
    const values = { store_id: this.store.id, id };
    return shapedStatement<SelectedRow<T, E>>(this.#database, table, { key: 'one', build }, values);
  }

  /** Inserts a record and returns it as stored. */
  insertStatement<T extends StoreTable>(
    table: T,
    values: InsertValues<T> | { [K in keyof InsertValues<T>]: InsertValues<T>[K] | SQL },
    id?: number,
  ) {
    const managed = { id, store_id: this.store.id, created_at: this.now, updated_at: this.now };
    const row: Record<string, unknown> = { ...withDerivedColumns(table, values), ...managed };
    const insert = (columns: Record<string, unknown>) =>
      this.#database
        .insert(table as StoreTable)
        .values(columns as never)
        .returning();
    if (Object.values(row).some((value) => is(value, SQL))) {
      return typedStatement<TypedStatement<Row<T>[]>>(insert(row));
    }
    const names = Object.keys(row).filter((name) => row[name] !== undefined);
    const build = () => insert(Object.fromEntries(names.map((name) => [name, placeholder(name)])));
    return shapedStatement<Row<T>>(
      this.#database,
      table,
      { key: `insert ${names.join()}`, build },
      row,
    );
  }

  /**
   * Updates the records that `where` matches and returns those it changed. A record that already has all values of
   * `changes` stays unchanged, so that `updated_at` moves only with a change. `also` is set along with a change.
   */
  updateStatement<T extends StoreTable>(
    table: T,
    where: SQL | undefined,
    changes: UpdateValues<T> | { [K in keyof UpdateValues<T>]: UpdateValues<T>[K] | SQL },
    also: Record<string, SQL> = {},
  ) {
    const set = withDerivedColumns(table, changes);
    const columns = getTableColumns(table) as Record<string, StoreTable['id']>;
    const differs = Object.entries(set).map(([name, value]) => {
      const column = columns[name];
      if (!column) throw new Error(`no column ${name}`);
      return sql`${column} is not ${sql.param(value, column)}`;
    });
    // Without values to compare, only `also` can be a change.
    if (differs.length === 0 && Object.keys(also).length === 0) differs.push(sql`0`);
    const query = this.#database
      .update(table as StoreTable)
      .set({ ...set, ...also, updated_at: this.now })
      .where(and(eq(table.store_id, this.store.id), where, or(...differs)))
      .returning();
    return typedStatement<TypedStatement<Row<T>[]>>(query);
  }

  /** Deletes records of this store and returns their ids. */
  deleteStatement(table: StoreTable, where: SQL | undefined) {
    const query = this.#database
      .delete(table)
      .where(and(eq(table.store_id, this.store.id), where))
      .returning({ id: table.id });
    return typedStatement<TypedStatement<{ id: number }[]>>(query);
  }

  /** Aborts the batch with a `ConflictError` unless the condition holds. */
  assert(condition: SQL) {
    return rawDatabaseStatement(this.#database, abortUnless(condition, 'conflict'));
  }

  /** Aborts the batch with a `ConflictError` unless the previous statement changed a row. */
  assertChanged() {
    return this.assert(sql`changes() > 0`);
  }

  /** Counts the records of the store, or those that `where` matches. */
  countStatement(table: StoreTable, where: SQL | undefined) {
    const kind = getTableName(table);
    if (where || !(countedKinds as readonly string[]).includes(kind)) {
      return typedStatement<TypedStatement<{ total: number }[]>>(
        this.#database
          .select({ total: sql<number>`count(*)`.as('total') })
          .from(table)
          .where(and(eq(table.store_id, this.store.id), where)),
      );
    }
    const build = () =>
      this.#database
        .select({ total: totals.total })
        .from(totals)
        .where(
          and(eq(totals.store_id, placeholder('store_id')), eq(totals.kind, placeholder('kind'))),
        );
    const values = { store_id: this.store.id, kind };
    return shapedStatement<{ total: number }>(
      this.#database,
      totals,
      { key: 'one', build },
      values,
    );
  }
}
