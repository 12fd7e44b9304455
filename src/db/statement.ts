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

/** The answer of a batch's last statement, however many stand before it. */
export const lastOf = <const R extends readonly unknown[]>(results: R) =>
  results.at(-1) as R extends readonly [...unknown[], infer Last] ? Last : never;
