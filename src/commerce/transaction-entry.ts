import type { TransactionStatus } from '../db/schema/transactions.ts';
import type { ReadTransaction } from './transaction-reading.ts';

/**
 * What a transaction's columns become when it enters a state (contract 3.12). A moment that is set stays, except that
 * `capture_date` goes from the planned one to the real one; nothing is due any more.
 */
export const enter = (before: ReadTransaction, to: TransactionStatus, now: number) => ({
  status: to,
  due_at: null,
  total_logs: before.total_logs + 1,
  ...(to === 'paid' && {
    authorized_at: before.authorized_at ?? now,
    captured_at: now,
    capture_date: now,
  }),
  ...((to === 'cancelled' || to === 'refunded') && { cancelled_at: now }),
});
