import {
  and,
  eq,
  getTableColumns,
  getTableName,
  is,
  or,
  SQL,
  sql,
  type SQLWrapper,
  type Table,
} from 'drizzle-orm';
import { type AnySQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import { foldText, nameKey } from '../../base/codecs/fields/normalize-text.ts';
import { countedKinds, totals } from '../schema/store/internal-tables.ts';
import { abortUnless } from './data-errors.ts';
import { toParameter, toQuery, type Parameter } from './drizzle-adapter.ts';
import { databaseOf, registerDatabase, textStatement, type Database } from './open-database.ts';
import { rawDatabaseStatement } from './raw.ts';
import {
  rowDecoder,
  decodedSelect,
  markInsert,
  markRecordSelect,
  markTotalSelect,
  typedStatement,
  type TypedStatement,
  type RowDecoder,
} from './statement.ts';
import { type InsertValues, type Row, type StoreTable, type UpdateValues } from './store-table.ts';
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
  /**
   * A subquery of the ids to read: SQLite reads these records by key, and looks at no others of the
   * store.
   */
  ids?: SQL;
  where?: SQL | undefined;
  extras?: E;
  /** Columns to sort by, which are selected even if they are derived: cursors hold their values. */
  sortedBy?: readonly string[];
  /** The first ones of an order, which an index must serve. */
  first?: { orderBy: SQL; limit: number };
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

  /**
   * The id of the record that the batch inserted last into a table; ids only grow, so the search
   * ends at the first row.
   */
  lastInsertedId(table: StoreTable): SQL {
    return sql`(select ${table.id} from ${table} where +${table.store_id} = ${this.store.id}
      order by ${table.id} desc limit 1)`;
  }

  /** Selects records of this store. */
  select<T extends StoreTable, E extends Extras = {}>(
    table: T,
    { ids, where, extras, first, sortedBy }: SelectOptions<E> = {},
  ) {
    // The plus keeps SQLite from walking along an index of the store to find a few ids.
    const scope = ids
      ? sql`+${table.store_id} = ${this.store.id} and ${table.id} in ${ids}`
      : eq(table.store_id, this.store.id);
    const query = this.#database
      .select({ ...rowColumns(table, sortedBy), ...aliased(extras) })
      .from(table as StoreTable)
      .where(and(scope, where))
      .$dynamic();
    if (first) query.orderBy(first.orderBy).limit(first.limit);
    return decodedSelect<SelectedRow<T, E>>(query, rowDecoder(table, extras));
  }

  /**
   * Selects a window of all records. The key of `order` names the result of its `orderBy`, which
   * must hold no value of the request.
   */
  selectWindow<T extends StoreTable, E extends Extras = {}>(
    table: T,
    order: { key: string; sortedBy: readonly string[]; orderBy: () => SQL[] },
    window: { limit: number; offset: number },
    extras?: E,
  ) {
    const build = () =>
      this.#database
        .select({ ...rowColumns(table, order.sortedBy), ...aliased(extras) })
        .from(table as StoreTable)
        .where(eq(table.store_id, placeholder('store_id')))
        .orderBy(...order.orderBy())
        .limit(placeholder('limit'))
        .offset(placeholder('offset'));
    const values = { ...window, store_id: this.store.id };
    const shape = { key: `window ${order.key}`, build, extras };
    return shapedStatement<SelectedRow<T, E>>(this, table, shape, values);
  }

  /** Selects the record with this id, provided that `where` holds for it. */
  selectOne<T extends StoreTable, E extends Extras = {}>(
    table: T,
    id: number,
    extras?: E,
    where?: SQL,
  ) {
    if (where) {
      const options = { where: and(eq(table.id, id), where), ...(extras && { extras }) };
      return markRecordSelect(this.select(table, options));
    }
    const build = () =>
      this.#database
        .select({ ...rowColumns(table), ...aliased(extras) })
        .from(table as StoreTable)
        .where(and(eq(table.store_id, placeholder('store_id')), eq(table.id, placeholder('id'))));
    const values = { store_id: this.store.id, id };
    const shape = { key: 'one', build, extras };
    return markRecordSelect(shapedStatement<SelectedRow<T, E>>(this, table, shape, values));
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
        .returning(rowColumns(table));
    const inserted = { table, id };
    if (Object.values(row).some((value) => is(value, SQL))) {
      return markInsert(typedStatement<TypedStatement<Row<T>[]>>(insert(row)), inserted);
    }
    const names = Object.keys(row).filter((name) => row[name] !== undefined);
    const build = () => insert(Object.fromEntries(names.map((name) => [name, placeholder(name)])));
    const shape = { key: `insert ${names.join()}`, build };
    return markInsert(shapedStatement<Row<T>>(this, table, shape, row), inserted);
  }

  /**
   * Updates the records that `where` matches and returns those it changed. A record that already
   * has all values of `changes` stays unchanged, so that `updated_at` moves only with a change.
   * `also` is set along with a change.
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
      .returning(rowColumns(table));
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
    const shape = { key: 'one', build };
    return markTotalSelect(shapedStatement<{ total: number }>(this, totals, shape, values));
  }
}

const aliased = (extras: Extras = {}) =>
  Object.fromEntries(Object.entries(extras).map(([name, value]) => [name, value.as(name)]));

/** A statement that Drizzle has built once, with placeholders where values go. */
interface Shape {
  sql: string;
  parameters: readonly Parameter[];
  decode: RowDecoder;
}

const shapesByTable = new WeakMap<SQLiteTable, Map<string, Shape>>();

/** Shapes that a table keeps. A client chooses the fields of a body, so it could invent many. */
const maxShapes = 200;

/**
 * Numbers of computed columns that were selected before. Those of a module come again; those of one
 * request never do.
 */
const knownColumns = new WeakMap<SQL, number>();
let lastColumn = 0;

/** Names computed columns; `undefined` if one is new, whose text is not worth keeping yet. */
function keyOfColumns(extras: Extras): string | undefined {
  let isKnown = true;
  const names = Object.entries(extras).map(([name, column]) => {
    const number = knownColumns.get(column);
    if (number === undefined) {
      knownColumns.set(column, (lastColumn += 1));
      isKnown = false;
    }
    return ` ${name}=${number}`;
  });
  return isKnown ? names.join('') : undefined;
}

/**
 * A statement that returns rows of a table. `build` creates its text at the first use of `key`,
 * with `sql.placeholder(name)` for each value; later uses only fill in values. To build the text of
 * one select takes Drizzle longer than all the rest of a simple request.
 */
export function shapedStatement<Row>(
  db: StoreScope,
  table: SQLiteTable,
  {
    key,
    build,
    extras = {},
  }: { key: string; build: () => SQLWrapper; extras?: Extras | undefined },
  values: Readonly<Record<string, unknown>>,
) {
  let shapes = shapesByTable.get(table);
  if (!shapes) shapesByTable.set(table, (shapes = new Map()));
  const columns = keyOfColumns(extras);
  let shape = columns === undefined ? undefined : shapes.get(key + columns);
  if (!shape) {
    shape = makeShape(table, build(), extras);
    if (shapes.size >= maxShapes) shapes.clear();
    if (columns !== undefined) shapes.set(key + columns, shape);
  }
  const { sql, parameters, decode } = shape;
  const bound = parameters.map((parameter) => parameter(values));
  return textStatement<Row>(databaseOf(db), sql, bound, decode);
}

function makeShape(table: SQLiteTable, query: SQLWrapper, extras: Extras): Shape {
  const { sql, params } = toQuery(query);
  return { sql, parameters: params.map(toParameter), decode: rowDecoder(table, extras) };
}

const columnsByTable = new WeakMap<StoreTable, Record<string, AnySQLiteColumn>>();

/**
 * The columns of a {@link Row}, and derived ones by name: what only the database uses need not be
 * sent and decoded.
 */
export function rowColumns(
  table: StoreTable,
  derived: readonly string[] = [],
): Record<string, AnySQLiteColumn> {
  const all: Record<string, AnySQLiteColumn> = getTableColumns(table);
  let columns = columnsByTable.get(table);
  if (!columns) {
    const hidden = new Set(['store_id', ...derivationsOf(table).map(({ column }) => column)]);
    columns = Object.fromEntries(Object.entries(all).filter(([name]) => !hidden.has(name)));
    columnsByTable.set(table, columns);
  }
  if (derived.length === 0) return columns;
  return {
    ...columns,
    ...Object.fromEntries(derived.map((name) => [name, all[name] as AnySQLiteColumn])),
  };
}

const transforms = { folded: foldText, key: nameKey } as const;

const derivations = new WeakMap<
  Table,
  { column: string; source: string; transform: typeof foldText }[]
>();

function derivationsOf(table: Table) {
  let derived = derivations.get(table);
  if (!derived) {
    derived = Object.keys(getTableColumns(table)).flatMap((column) => {
      const match = /^(.+)_(folded|key)$/.exec(column);
      const source = match?.[1];
      return source && source in getTableColumns(table)
        ? [{ column, source, transform: transforms[match[2] as keyof typeof transforms] }]
        : [];
    });
    derivations.set(table, derived);
  }
  return derived;
}

/**
 * Adds the derived columns: `name_folded` (without accents and letter case) is for searching and
 * sorting by `name`, `name_key` is for its uniqueness.
 */
export function withDerivedColumns(table: Table, values: Record<string, unknown>) {
  const complete = { ...values };
  for (const { column, source, transform } of derivationsOf(table)) {
    const value = values[source];
    if (value !== undefined)
      complete[column] = typeof value === 'string' ? transform(value) : value;
  }
  return complete;
}
