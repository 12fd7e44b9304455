import { and, eq, inArray, sql } from 'drizzle-orm';
import type { StoreDb } from '../../data/core/store-db.ts';
import { transactions } from '../../data/schema/store/transactions-tables.ts';
import type { TransactionStatus } from '../../data/schema/store/transactions-tables.ts';
import type { FullOrder } from '../orders/order-queries.ts';
import type { TransactionRecord } from './transaction-queries.ts';
import { unpaidTransactionStatuses } from './transaction-states.ts';

/**
 * Returns the columns of a transaction that change with its status. `capture_date` becomes the
 * actual time instead of the planned one, and null if no money will be taken. A refused payment was
 * never assured. `due_at` is cleared, so no timer acts on the transaction again.
 */
export const statusColumns = (before: TransactionRecord, to: TransactionStatus, now: number) => ({
  status: to,
  due_at: null,
  total_logs: before.total_logs + 1,
  ...(to === 'paid' && {
    authorized_at: before.authorized_at ?? now,
    captured_at: now,
    capture_date: now,
  }),
  ...(to === 'refused' && { authorized_at: null, capture_date: null }),
  ...(to === 'cancelled' && { capture_date: null }),
  ...((to === 'cancelled' || to === 'refunded') && { cancelled_at: now }),
});

/**
 * Plans the cancellation of the transactions of an order that are unpaid, or in these statuses. A
 * paid transaction stays paid: a refund is a separate operation with its own scope. Returns the
 * statement, and the transactions after it.
 */
export function planUnpaidCancellation(
  db: StoreDb,
  order: FullOrder,
  statuses = unpaidTransactionStatuses,
) {
  const data = order.transactions.data.map((transaction) =>
    statuses.includes(transaction.status)
      ? { ...transaction, ...statusColumns(transaction, 'cancelled', db.now), updated_at: db.now }
      : transaction,
  );
  const unpaid = and(
    eq(transactions.order_id, order.id),
    inArray(transactions.status, [...statuses]),
  );
  const statement = db.updateStatement(
    transactions,
    unpaid,
    { status: 'cancelled', cancelled_at: db.now, capture_date: null, due_at: null },
    { total_logs: sql`${transactions.total_logs} + 1` },
  );
  return { statement, transactions: { data } };
}
