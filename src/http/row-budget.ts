import type { Operation } from './operation.ts';

/** The rows that a request should read at most in the database of its store, however large the store is. */
const rowBudgets = { record: 500, list: 25_000, change: 5_000, bulk: 50_000 } as const;

/**
 * Returns the budget of an operation by its kind: one record with its relations, one page with a bounded total, a
 * change with its event, or a change of many records. A request beyond it is served, but reveals a query that grows
 * with the store.
 */
export const rowBudgetOf = ({
  method,
  query,
  weight = 1,
}: Pick<Operation, 'method' | 'query' | 'weight'>): number => {
  if (method === 'GET') return query ? rowBudgets.list : rowBudgets.record;
  return weight > 1 ? rowBudgets.bulk : rowBudgets.change;
};
