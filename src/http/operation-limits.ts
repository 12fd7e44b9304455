import type { EventPace } from '../data/core/event-budget.ts';
import { isInAreas, type ScopeArea } from '../data/grants/scopes.ts';
import type { Operation } from './operation.ts';

/** How many requests a search counts as, since it reads up to all rows of a list. */
const maxSearchWeight = 5;

/**
 * The limit that counts an operation, and as how many requests, without and with the parameter
 * `search`.
 */
export const limitOf = ({ isStoreScoped, query, weight = 1 }: Operation) => ({
  countedBy: isStoreScoped ? ('store' as const) : ('credential' as const),
  weight,
  searchWeight: query?.names.includes('search') ? maxSearchWeight : weight,
});

/**
 * The rows that a request should read at most in the database of its store, however large the store
 * is.
 */
export const rowBudgets = { record: 500, list: 25_000, change: 5_000, bulk: 50_000 } as const;

/**
 * Returns the budget of an operation by its kind. The kinds are one record with its relations, one
 * page with a bounded total, a change with its event, or a change of many records. A request beyond
 * it is served, but reveals a query that grows with the store.
 */
export const rowBudgetOf = ({
  method,
  query,
  weight = 1,
}: Pick<Operation, 'method' | 'query' | 'weight'>): number => {
  if (method === 'GET') return query ? rowBudgets.list : rowBudgets.record;
  return weight > 1 ? rowBudgets.bulk : rowBudgets.change;
};

/**
 * Areas of a sale, whose events never wait for a turn of their store: a cart becomes a paid order,
 * and its stock sinks.
 */
const saleAreas: readonly ScopeArea[] = [
  'carts',
  'customers',
  'inventory',
  'invoices',
  'orders',
  'payments',
  'transactions',
];

/** How the events of an operation go on beyond the event budget of the store. */
export const eventPaceOf = ({
  access,
  weight = 1,
}: Pick<Operation, 'access' | 'weight'>): EventPace => {
  if (isInAreas(access, saleAreas)) return 'free';
  return weight > 1 ? 'bulk' : 'single';
};
