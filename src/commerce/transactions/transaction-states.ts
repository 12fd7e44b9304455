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

/** Statuses of a transaction that can still be paid. */
export const unpaidTransactionStatuses: readonly TransactionStatus[] = [
  'waiting_payment',
  'authorized',
];

/** Returns the five booleans of a status. A cancelled transaction keeps `authorized` as it was before. */
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
 * Returns the next status of an order after one of its transactions entered a status, or `undefined` if the order keeps its
 * own. The first payment makes the order paid. The last live transaction that ends makes it refused or cancelled. A shipped
 * order keeps its status even when it is refunded.
 */
export function orderStatusAfter(
  order: { status: OrderStatus; open_invoices: number },
  entered: TransactionStatus,
  others: readonly { status: TransactionStatus }[],
): OrderStatus | undefined {
  const isLast = !others.some(({ status }) => liveTransactionStatuses.has(status));
  const isWaiting = order.status === 'waiting_payment';
  switch (entered) {
    case 'paid':
      return isWaiting ? 'paid' : undefined;
    case 'refused':
      return isWaiting && isLast ? 'refused' : undefined;
    case 'cancelled':
      return isWaiting && isLast ? 'cancelled' : undefined;
    case 'refunded':
      return isLast &&
        order.status !== 'waiting_payment' &&
        allowedNextStatuses(order).includes('cancelled')
        ? 'cancelled'
        : undefined;
    case 'waiting_payment':
    case 'authorized':
      return undefined;
  }
}
