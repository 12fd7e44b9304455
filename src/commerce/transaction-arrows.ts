import type { TransactionStatus } from '../db/schema/transactions.ts';

/** Where a transaction may go from each state (sources 5, contract 3.12). */
export const transactionArrows: Record<TransactionStatus, readonly TransactionStatus[]> = {
  waiting_payment: ['paid', 'refused', 'cancelled'],
  authorized: ['paid', 'cancelled', 'refused'],
  paid: ['refunded'],
  refused: [],
  cancelled: [],
  refunded: [],
};

/** Those of its states in which a transaction may still bring money, or has brought it. */
export const liveStatuses: readonly TransactionStatus[] = ['waiting_payment', 'authorized', 'paid'];

/** Those in which it has brought none yet. */
export const unpaidStatuses: readonly TransactionStatus[] = ['waiting_payment', 'authorized'];

/** The five booleans that a state means; a cancelled transaction stays as authorized as it was. */
export const transactionFlags = (transaction: {
  status: TransactionStatus;
  authorized_at: number | null;
}) => {
  const { status, authorized_at } = transaction;
  return {
    authorized: status !== 'refused' && authorized_at !== null,
    captured: status === 'paid' || status === 'refunded',
    cancelled: status === 'cancelled' || status === 'refunded',
    can_be_captured: status === 'authorized',
    can_be_cancelled: liveStatuses.includes(status),
  };
};
