import { and, eq, inArray, sql } from 'drizzle-orm';
import { transactions } from '../db/schema/store.ts';
import type { StoreDb } from '../db/store.ts';
import type { WholeOrder } from './order-reading.ts';
import { unpaidStatuses } from './transaction-arrows.ts';
import { enter } from './transaction-entry.ts';

/**
 * Cancels the transactions of an order that have brought no money, with the order itself. One that is paid stays paid: to
 * give money back is a row of its own, with a scope of its own.
 */
export function cancelUnpaidOf(db: StoreDb, order: WholeOrder) {
  const data = order.transactions.data.map((transaction) =>
    unpaidStatuses.includes(transaction.status)
      ? { ...transaction, ...enter(transaction, 'cancelled', db.now), updated_at: db.now }
      : transaction,
  );
  const unpaid = and(
    eq(transactions.order_id, order.id),
    inArray(transactions.status, [...unpaidStatuses]),
  );
  const statement = db.change(
    transactions,
    unpaid,
    { status: 'cancelled', cancelled_at: db.now, due_at: null },
    { total_logs: sql`${transactions.total_logs} + 1` },
  );
  return { statement, transactions: { data } };
}
