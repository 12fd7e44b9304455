import type { Operation } from './operation.ts';

/** The rows that a request should read at most in the database of its store, however large the store is. */
const rowBudgets = { record: 500, list: 25_000, change: 5_000 } as const;

/**
 * Returns the budget of an operation: one record with its relations, one page with a total that is counted up to a bound,
 * or a change with its event. A request beyond it is served, and shows a query that grows with the store.
 */
export const rowBudgetOf = ({ method, query }: Pick<Operation, 'method' | 'query'>): number =>
  method !== 'GET' ? rowBudgets.change : query ? rowBudgets.list : rowBudgets.record;
