import type { SQL } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';

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
 * Types a query on a generic table. Drizzle cannot infer its result: all columns of that table, and the named computed
 * columns.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the result
export const typedStatement = <S extends TypedStatement<unknown>>(query: object) =>
  query as unknown as S;

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
 * Marks a statement that writes but is not the requested change: it reserves ids, takes a turn or saves a response. A
 * batch of only such statements and selects does not claim the idempotency key (`IdempotencyClaim`). Never mix
 * preparatory and changing statements in one batch.
 */
export function markPreparatory<S extends Statement>(statement: S): S {
  preparatoryStatements.add(statement);
  return statement;
}

/** Whether a statement may change data of the store: true unless it is a select or marked as preparatory. */
export function mayChangeData(statement: Statement): boolean {
  const { sql } = prepareStatement(statement).getQuery();
  return !preparatoryStatements.has(statement) && !/^\s*select\b/i.test(sql);
}

/** What a batch makes of a statement before it runs it. */
interface PreparedStatement {
  getQuery: () => { sql: string; params: unknown[] };
  /** Decodes the rows of a result. */
  mapResult: (result: unknown, isFromBatch?: boolean) => unknown;
}

/** Prepares a statement as a batch does. Those of Drizzle and of `raw.ts` can all return their SQL before they run. */
export const prepareStatement = (statement: Statement) =>
  (statement as unknown as { _prepare: () => PreparedStatement })._prepare();

/** The result of the last statement of a batch. */
export const lastResult = <const R extends readonly unknown[]>(results: R) =>
  results.at(-1) as R extends readonly [...unknown[], infer Last] ? Last : never;
