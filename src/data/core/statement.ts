import { type Column, type SQL, getTableColumns } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import {
  decoderOfColumn,
  decoderOfSql,
  preparable,
  prepareNow,
  type PreparedStatement,
} from './drizzle-adapter.ts';
import type { StoreTable } from './store-table.ts';

/** A statement that has not run yet. */
export type Statement = BatchItem<'sqlite'>;

/** A statement with the type of its result. */
export type TypedStatement<R> = Statement & { readonly result?: R };

/** A select that can still be ordered and limited. */
export interface SelectStatement<R> extends TypedStatement<R[]> {
  orderBy(...keys: SQL[]): SelectStatement<R>;
  limit(count: number): SelectStatement<R>;
  offset(count: number): SelectStatement<R>;
}

/**
 * Types a query on a generic table. Drizzle cannot infer its result: all columns of that table, and
 * the named computed columns.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the result
export const typedStatement = <S extends TypedStatement<unknown>>(query: object) =>
  query as unknown as S;

/** The parts of Drizzle's select that a {@link SelectStatement} passes on. */
interface DrizzleSelect extends Statement {
  orderBy(...keys: SQL[]): unknown;
  limit(count: number): unknown;
  offset(count: number): unknown;
}

/**
 * A select of Drizzle with our decoder of rows. Its text is built once, however often the statement
 * is read.
 */
export function decodedSelect<R>(query: DrizzleSelect, decode: RowDecoder): SelectStatement<R> {
  let prepared: PreparedStatement | undefined;
  const prepare = (): PreparedStatement => {
    const drizzle = prepareStatement(query);
    return {
      stmt: drizzle.stmt,
      getQuery: () => drizzle.getQuery(),
      mapResult: ({ results }) => decode(results),
    };
  };
  const select = typedStatement<SelectStatement<R>>({
    orderBy(...keys: SQL[]) {
      query.orderBy(...keys);
      return select;
    },
    limit(count: number) {
      query.limit(count);
      return select;
    },
    offset(count: number) {
      query.offset(count);
      return select;
    },
    ...preparable(() => (prepared ??= prepare())),
  });
  return select;
}

/** The result of a statement. */
export type StatementResult<S extends Statement> = S extends { readonly result?: infer R }
  ? NonNullable<R>
  : unknown;

/** The results of a batch, in the order of its statements. */
export type BatchResults<S extends readonly Statement[]> = {
  [Index in keyof S]: StatementResult<S[Index]>;
};

const preparatoryStatements = new WeakSet<Statement>();

/**
 * Marks a statement that writes but is not the requested change: it reserves ids or saves a
 * response. A batch of only such statements and selects does not record the idempotency key
 * (`IdempotencyRecorder`). Never mix preparatory and changing statements in one batch.
 */
export function markPreparatory<S extends Statement>(statement: S): S {
  preparatoryStatements.add(statement);
  return statement;
}

/** A `with` may also begin a change. Names of columns such as `updated_at` are no such word. */
const selectPattern = /^\s*(?:select\b|with\b(?!.*\b(?:insert|replace|update|delete)\b))/is;

/** Whether a statement is a select, with or without a `with` before it. */
export const isSelect = (statement: Statement): boolean =>
  selectPattern.test(prepareStatement(statement).getQuery().sql);

/**
 * Whether a statement may change data of the store: true unless it is a select or marked as
 * preparatory.
 */
export const mayChangeData = (statement: Statement): boolean =>
  !preparatoryStatements.has(statement) && !isSelect(statement);

/** A select that returns one record with its `id`, or nothing. */
export interface RecordSelect extends Statement {
  readonly selectsRecord: true;
}

/** Marks a select that returns one record with its `id`, or nothing. */
export const markRecordSelect = <S extends Statement>(select: S): S & RecordSelect =>
  Object.assign(select, { selectsRecord: true as const });

export const isRecordSelect = (statement: Statement | undefined): statement is RecordSelect =>
  statement !== undefined && 'selectsRecord' in statement;

/** The record that a statement inserts: its table, and its id where that is known before. */
interface InsertedRecord {
  table: StoreTable;
  id: number | undefined;
}

const insertedRecords = new WeakMap<Statement, InsertedRecord>();

/** Marks a statement that inserts one record. */
export function markInsert<S extends Statement>(statement: S, record: InsertedRecord): S {
  insertedRecords.set(statement, record);
  return statement;
}

/** The record that a statement inserts, if it is marked so. */
export const insertedBy = (statement: Statement) => insertedRecords.get(statement);

/** A select of one number of a page's list, which the statement of the guard can hold. */
export interface TotalSelect extends TypedStatement<{ total: number }[]> {
  readonly selectsTotal: true;
}

/** Marks a select of at most one row whose only column is `total`. */
export const markTotalSelect = (select: TypedStatement<{ total: number }[]>): TotalSelect =>
  Object.assign(select, { selectsTotal: true as const });

export const isTotalSelect = (statement: Statement | undefined): statement is TotalSelect =>
  statement !== undefined && 'selectsTotal' in statement;

/**
 * Statements whose text is built, so that what runs them builds it no second time. They must not be
 * changed any more.
 */
export const preparedStatements = new WeakMap<Statement, PreparedStatement>();

/** Prepares a statement as a batch does, once. */
export function prepareStatement(statement: Statement): PreparedStatement {
  let prepared = preparedStatements.get(statement);
  if (!prepared) {
    prepared = prepareNow(statement);
    preparedStatements.set(statement, prepared);
  }
  return prepared;
}

/** The result of the last statement of a batch. */
export const lastResult = <const R extends readonly unknown[]>(results: R) =>
  results.at(-1) as R extends readonly [...unknown[], infer Last] ? Last : never;

type Rows = Record<string, unknown>[];

/** Decodes rows in place: D1 created their objects for this batch alone. */
export type RowDecoder = (rows: Rows) => Rows;

interface ValueDecoder {
  name: string;
  decode: (value: unknown) => unknown;
}

const decodersByTable = new WeakMap<SQLiteTable, readonly ValueDecoder[]>();

/** The columns that SQLite stores in another form, such as booleans as 0 and 1. */
function decodersOf(table: SQLiteTable): readonly ValueDecoder[] {
  let decoders = decodersByTable.get(table);
  if (!decoders) {
    decoders = Object.values<Column>(getTableColumns(table)).flatMap((column) => {
      const decode = decoderOfColumn(column);
      return decode ? [{ name: column.name, decode }] : [];
    });
    decodersByTable.set(table, decoders);
  }
  return decoders;
}

/**
 * Creates the decoder of a table's rows with computed columns. Drizzle turns each row into an array
 * and looks up the kind of its column for every value. This touches only the values whose stored
 * form differs.
 */
export function rowDecoder(
  table: SQLiteTable,
  computed: Readonly<Record<string, SQL>> = {},
): RowDecoder {
  const decoders = [
    ...decodersOf(table),
    ...Object.entries(computed).map(([name, column]) => ({
      name,
      decode: decoderOfSql(column),
    })),
  ];
  return (rows) => {
    for (const row of rows) {
      for (const { name, decode } of decoders) {
        const value = row[name];
        // Null has no stored form to decode, so it stays null.
        if (value !== null) row[name] = decode(value);
      }
    }
    return rows;
  };
}

/**
 * The statements around those of a batch. `settle` gets the result of the last one after the
 * commit.
 */
interface Around {
  readonly first: readonly Statement[];
  readonly last: readonly Statement[];
  readonly settle: (last: unknown) => void;
}

export const nothingAround: Around = { first: [], last: [], settle: () => undefined };

/**
 * Writes something with the change of a request: its idempotency key, or its line of the audit
 * (`StoreDb.recordChanges`).
 */
export interface ChangeRecorder {
  around: (statements: readonly Statement[]) => Around;
}

/**
 * The statements that record a change with the batch of these statements, if `isChanged` holds at
 * its end.
 */
export type RecordChange = (statements: readonly Statement[], isChanged: SQL) => Statement[];
