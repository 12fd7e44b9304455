import { Column, is, Param, Placeholder, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { DrizzleD1Database } from 'drizzle-orm/d1';
import { SQLiteD1Session } from 'drizzle-orm/d1/session';
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core';

/**
 * Uses the parts of Drizzle that its documentation does not promise; no other file does
 * (`oxlint.config.ts`). `test/data/core/drizzle-adapter.test.ts` says what a new version changes.
 */

export { fillPlaceholders } from 'drizzle-orm';

const dialect = new SQLiteAsyncDialect();

/** Returns the text of a query with its values; nothing runs. */
export const toQuery = (query: SQLWrapper) => dialect.sqlToQuery(query.getSQL());

/** A statement as a batch prepares it before it runs. */
export interface PreparedStatement {
  getQuery: () => { sql: string; params: unknown[] };
  stmt: D1PreparedStatement;
  /** Decodes the rows of a result. */
  mapResult: (result: D1Result<Record<string, unknown>>, isFromBatch?: boolean) => unknown;
}

/** Prepares a statement as a batch does. */
export const prepareNow = (statement: BatchItem<'sqlite'>): PreparedStatement =>
  (statement as unknown as { _prepare: () => PreparedStatement })._prepare();

/** Returns the part of an object that makes it a statement of a batch. */
export const preparable = (prepare: () => PreparedStatement) => ({ _prepare: prepare });

/** A parameter of a statement, from the values of one use. */
export type Parameter = (values: Readonly<Record<string, unknown>>) => unknown;

/**
 * Reads a parameter of a query. Drizzle's own `fillPlaceholders` also encodes nulls, which makes
 * them zeros and JSON texts.
 */
export function toParameter(param: unknown): Parameter {
  if (is(param, Placeholder)) return (values) => values[param.name];
  if (!is(param, Param) || !is(param.value, Placeholder)) return () => param;
  const { encoder } = param;
  const { name } = param.value;
  return (values) => {
    const value = values[name];
    return value === null ? null : encoder.mapToDriverValue(value);
  };
}

type Decode = (value: unknown) => unknown;

/** Returns the decoder of a column; `undefined` if its values are stored as they are. */
export const decoderOfColumn = (column: Column): Decode | undefined =>
  column.mapFromDriverValue === Column.prototype.mapFromDriverValue
    ? undefined
    : (value) => column.mapFromDriverValue(value);

/** Returns the decoder of a computed column, which Drizzle's types hide. */
export function decoderOfSql(column: SQL): Decode {
  const { decoder } = column as unknown as { decoder: { mapFromDriverValue: Decode } };
  return (value) => decoder.mapFromDriverValue(value);
}

/** The methods of a database that Drizzle calls. */
export type D1Client = Pick<D1Database, 'prepare' | 'batch'>;

/** How a session runs a query by itself, and several in one call. */
interface Runner {
  one: <T>(call: Promise<T>) => Promise<T>;
  batch: (statements: readonly BatchItem<'sqlite'>[]) => Promise<unknown[]>;
}

class Session extends SQLiteD1Session<Record<string, never>, Record<string, never>> {
  readonly #runner: Runner;

  constructor(client: D1Client, runner: Runner) {
    // Drizzle names the whole type and calls two methods.
    super(client as D1Database, dialect, undefined);
    this.#runner = runner;
  }

  /** How a query runs by itself. Drizzle's own method wraps an error of D1 in one of Drizzle. */
  readonly #queryWithCache = <T>(_sql: string, _params: unknown[], run: () => Promise<T>) =>
    this.#runner.one(run());

  override prepareQuery(...query: Parameters<SQLiteD1Session<never, never>['prepareQuery']>) {
    return Object.assign(super.prepareQuery(...query), { queryWithCache: this.#queryWithCache });
  }

  override batch(...[statements]: Parameters<SQLiteD1Session<never, never>['batch']>) {
    return this.#runner.batch(statements);
  }
}

/** Makes Drizzle's database of a client, whose calls `runner` makes. */
export function connectDrizzle(client: D1Client, runner: Runner) {
  const database = new DrizzleD1Database('async', dialect, new Session(client, runner), undefined);
  return Object.assign(database, { $client: client });
}
