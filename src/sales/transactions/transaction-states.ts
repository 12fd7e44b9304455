import type { OrderStatus } from '../../data/schema/store/orders-tables.ts';
import type { TransactionStatus } from '../../data/schema/store/transactions-tables.ts';
import { allowedNextStatuses } from '../orders/order-states.ts';

/** The transitions of a transaction by its status (see README, Transactions). */
export const transactionTransitions: Record<TransactionStatus, readonly TransactionStatus[]> = {
  waiting_payment: ['paid', 'refused', 'cancelled'],
  authorized: ['paid', 'cancelled', 'refused'],
  paid: ['refunded'],
  refused: [],
  cancelled: [],
  refunded: [],
};

/** Statuses of a transaction that is paid or can still be paid. */
const liveTransactionStatuses = new Set<TransactionStatus>([
  'waiting_payment',
  'authorized',
  'paid',
]);

/** Statuses of a transaction whose money is assured or taken. */
export const assuredTransactionStatuses: readonly TransactionStatus[] = ['authorized', 'paid'];

/** Statuses of a transaction that can still be paid. */
export const unpaidTransactionStatuses: readonly TransactionStatus[] = [
  'waiting_payment',
  'authorized',
];

interface Payment {
  status: TransactionStatus;
  amount: number;
  buyer_amount: number;
}

/** Adds up the amounts of the transactions in these statuses, in cents. */
export const amountIn = (
  statuses: readonly TransactionStatus[],
  transactions: readonly Payment[],
): number =>
  transactions.reduce(
    (sum, { status, amount }) => sum + (statuses.includes(status) ? amount : 0),
    0,
  );

/**
 * Returns what the buyer pays in cents: the total with the interest of the live transactions;
 * unchanged without one.
 */
export function buyerTotalAfter(
  order: { value_total: number; buyer_value_total: number },
  transactions: readonly Payment[],
): number {
  const live = transactions.filter(({ status }) => liveTransactionStatuses.has(status));
  const interest = live.reduce((sum, one) => sum + one.buyer_amount - one.amount, 0);
  return live.length > 0 ? order.value_total + interest : order.buyer_value_total;
}

/**
 * Returns the five booleans of a status. A cancelled transaction keeps `authorized` as it was
 * before.
 */
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
    can_be_cancelled: liveTransactionStatuses.has(status),
  };
};

/**
 * Returns the next status of an order after one of its `transactions` entered a status, or
 * `undefined` if the order keeps its own. Captures that reach the total make the order paid. The
 * last live transaction that ends makes it refused or cancelled. A shipped order keeps its status
 * even when it is refunded.
 */
export function orderStatusAfter(
  order: { status: OrderStatus; open_invoices: number; value_total: number },
  entered: TransactionStatus,
  transactions: readonly Payment[],
): OrderStatus | undefined {
  const isLast = !transactions.some(({ status }) => liveTransactionStatuses.has(status));
  const isWaiting = order.status === 'waiting_payment';
  switch (entered) {
    case 'paid':
      return isWaiting && amountIn(['paid'], transactions) >= order.value_total
        ? 'paid'
        : undefined;
    case 'refused':
      return isWaiting && isLast ? 'refused' : undefined;
    case 'cancelled':
      return isWaiting && isLast ? 'cancelled' : undefined;
    case 'refunded':
      return isLast && allowedNextStatuses(order).includes('cancelled') ? 'cancelled' : undefined;
    case 'waiting_payment':
    case 'authorized':
      return undefined;
  }
}
