import { allOrderStatuses, orderTransitions } from '../commerce/orders/state-machine.ts';
import { transactionTransitions } from '../commerce/transactions/state-machine.ts';
import type { CartStatus } from '../db/schema/store/carts.ts';
import type { EventName } from '../events/catalogue.ts';
import type { RetryDoc, StateTable } from '../pages/docs/props.ts';
import { retryDelaysMs } from '../webhooks/delivery/retry-policy.ts';

/** Returns the attempts of a delivery, each with the wait since the previous and since the first one. */
export function buildRetryTable(): RetryDoc[] {
  const first = { attempt: 1, wait: 'at once', sinceFirst: '' };
  let sinceFirstMs = 0;
  return [
    first,
    ...retryDelaysMs.map((delayMs, index) => {
      sinceFirstMs += delayMs;
      return {
        attempt: index + 2,
        wait: formatDuration(delayMs),
        sinceFirst: formatDuration(sinceFirstMs),
      };
    }),
  ];
}

/** Formats milliseconds such as `2 h 42 min 35 s`. */
function formatDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const parts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}

const statusUpdated: readonly EventName[] = ['order.status.updated'];

/** Events of an order on entry into a state; any other state sends `order.status.updated` only. */
const orderEvents: Partial<Record<string, readonly EventName[]>> = {
  waiting_payment: ['order.created', 'order.status.updated'],
  paid: ['order.status.updated', 'order.paid'],
};

/** Next states of a cart. A change of an abandoned cart opens it again. */
const cartTransitions: Record<CartStatus, readonly CartStatus[]> = {
  open: ['abandoned', 'converted', 'expired'],
  abandoned: ['open', 'converted', 'expired'],
  converted: [],
  expired: [],
};

const cartEvents: Partial<Record<string, readonly EventName[]>> = {
  abandoned: ['cart.reminder'],
  converted: ['order.created'],
};

const transactionEvents: Partial<Record<string, readonly EventName[]>> = {
  refused: ['transaction.payment.refused'],
};

const buildStateTable = (
  caption: string,
  transitions: Record<string, readonly string[]>,
  eventsOf: (state: string) => readonly EventName[],
  states = Object.keys(transitions),
): StateTable => ({
  caption,
  rows: states.map((state) => ({ state, next: transitions[state] ?? [], events: eventsOf(state) })),
});

/** Returns the states of carts, orders and transactions with their next states and their events. */
export const buildStateTables = (): StateTable[] => [
  buildStateTable('Cart', cartTransitions, (state) => cartEvents[state] ?? []),
  buildStateTable(
    'Order',
    orderTransitions,
    (state) => orderEvents[state] ?? statusUpdated,
    allOrderStatuses,
  ),
  buildStateTable(
    'Transaction, in addition to the events of its order',
    transactionTransitions,
    (state) => transactionEvents[state] ?? [],
  ),
];
