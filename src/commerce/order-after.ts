import type { OrderStatus } from '../db/schema/orders.ts';
import type { TransactionStatus } from '../db/schema/transactions.ts';
import { nextStatuses } from './order-arrows.ts';
import { liveStatuses } from './transaction-arrows.ts';

/**
 * Where an order goes when one of its transactions enters a state (sources 5), if anywhere: paid with the first payment;
 * refused, or cancelled, with the last of its live transactions. An order that has been shipped stays where it is although
 * its money goes back.
 */
export function orderAfter(
  order: { status: OrderStatus; open_invoices: number },
  entered: TransactionStatus,
  others: readonly { status: TransactionStatus }[],
): OrderStatus | undefined {
  const isLast = !others.some(({ status }) => liveStatuses.includes(status));
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
        nextStatuses(order).includes('cancelled')
        ? 'cancelled'
        : undefined;
    case 'waiting_payment':
    case 'authorized':
      return undefined;
  }
}
