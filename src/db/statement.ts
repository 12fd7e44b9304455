import type { SQL } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';

/** A statement that has not run yet. */
export type Statement = BatchItem<'sqlite'>;

/** A statement whose answer is known. */
export type Answering<R> = Statement & { readonly answer?: R };

/** A reading statement that can still be ordered and cut. */
export interface Selection<R> extends Answering<R[]> {
  orderBy(...keys: SQL[]): Selection<R>;
  limit(count: number): Selection<R>;
  offset(count: number): Selection<R>;
}

/**
 * Says what a query on a generic table answers, which Drizzle cannot infer: the columns of that table (all
 * of them are selected or returned) and the named computed ones.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the answer
export const answering = <A extends Answering<unknown>>(query: object) => query as unknown as A;

/** What a statement answers once it has run. */
export type Result<S extends Statement> = S extends { readonly answer?: infer R }
  ? NonNullable<R>
  : unknown;

/** The answers of a batch, in the order of its statements. */
export type Results<S extends readonly Statement[]> = { [Index in keyof S]: Result<S[Index]> };

const preparing = new WeakSet<Statement>();

/**
 * Marks a statement that writes, but changes nothing that anybody asked to have changed: it takes ids that a change to
 * come may use, or a turn, or keeps an answer. A batch of such statements and of reads is not the change (`db/claim`).
 * No batch holds both.
 */
export function preparatory<S extends Statement>(statement: S): S {
  preparing.add(statement);
  return statement;
}

/** Whether a statement may change what the store holds; one that is not known to read alone may. */
export function mayChange(statement: Statement): boolean {
  // Every statement of Drizzle, and those of `raw`, can be asked for its SQL before it runs.
  const { sql } = (statement as unknown as Preparable)._prepare().getQuery();
  return !preparing.has(statement) && !/^\s*select\b/i.test(sql);
}

interface Preparable {
  _prepare(): { getQuery(): { sql: string } };
}

/** The answer of a batch's last statement, however many stand before it. */
export const lastOf = <const R extends readonly unknown[]>(results: R) =>
  results.at(-1) as R extends readonly [...unknown[], infer Last] ? Last : never;
