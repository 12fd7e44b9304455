import { orderArrows, orderStatuses } from '../commerce/order-arrows.ts';
import { transactionArrows } from '../commerce/transaction-arrows.ts';
import type { CartStatus } from '../db/schema/carts.ts';
import type { EventName } from '../events/catalogue.ts';
import type { StatesProps } from '../pages/docs-props.ts';

const moved: readonly EventName[] = ['order.status.updated'];

/** What an order tells when it enters a state that differs from the others in that (sources 4). */
const ofOrders: Partial<Record<string, readonly EventName[]>> = {
  waiting_payment: ['order.created', 'order.status.updated'],
  paid: ['order.status.updated', 'order.paid'],
};

/** Where a cart may go from each state (sources 3); an edit opens it again. */
const cartArrows: Record<CartStatus, readonly CartStatus[]> = {
  open: ['abandoned', 'converted', 'expired'],
  abandoned: ['open', 'converted', 'expired'],
  converted: [],
  expired: [],
};

const ofCarts: Partial<Record<string, readonly EventName[]>> = {
  abandoned: ['cart.reminder'],
  converted: ['order.created'],
};

const ofTransactions: Partial<Record<string, readonly EventName[]>> = {
  refused: ['transaction.payment.refused'],
};

const table = (
  caption: string,
  arrows: Record<string, readonly string[]>,
  eventsOf: (state: string) => readonly EventName[],
  states = Object.keys(arrows),
): StatesProps => ({
  caption,
  rows: states.map((state) => ({ state, next: arrows[state] ?? [], events: eventsOf(state) })),
});

/** What may follow each state of a cart, an order and a transaction, and what it sends. */
export const stateTables = (): StatesProps[] => [
  table('A cart', cartArrows, (state) => ofCarts[state] ?? []),
  table('An order', orderArrows, (state) => ofOrders[state] ?? moved, orderStatuses),
  table(
    'A transaction, besides what its order sends',
    transactionArrows,
    (state) => ofTransactions[state] ?? [],
  ),
];
