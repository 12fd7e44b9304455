/** The events of the specification in its order, with its column "Meaning". */
const specifiedMeanings = {
  'order.created': 'Order created',
  'order.paid': 'Order approved',
  'order.status.updated': 'Status of an order updated',
  'order.invoice.created': 'Invoice of an order created',
  'order.invoice.updated': 'Invoice of an order updated',
  'transaction.payment.refused': 'Payment of a transaction refused',
  'cart.reminder': 'Abandoned cart notification',
  'customer.created': 'Customer created',
  'customer.address.created': 'Customer address created',
  'product.created': 'Product created',
  'product.updated': 'Product updated',
  'product.deleted': 'Product deleted',
  'product.inventory.updated': 'Product stock updated',
} as const;

/** All events with their meaning: those of the specification, then additional ones. */
export const eventMeanings = {
  ...specifiedMeanings,
  'catalog.import_completed': 'Import of products ended',
} as const;

export type SpecifiedEventName = keyof typeof specifiedMeanings;

export type EventName = keyof typeof eventMeanings;

/** The events of the specification, in its order. */
export const specifiedEventNames = Object.keys(specifiedMeanings) as [
  SpecifiedEventName,
  ...SpecifiedEventName[],
];

/** All events: those of the specification in its order, then additional ones. */
export const eventNames = Object.keys(eventMeanings) as [EventName, ...EventName[]];

/** Whether an event tells of a change of a record, and names the changed fields. */
export const isUpdate = (event: string) => event.endsWith('.updated');

const areas = [
  ['order.invoice.', 'invoices'],
  ['order.', 'orders'],
  ['transaction.', 'transactions'],
  ['cart.', 'carts'],
  ['customer.', 'customers'],
  ['product.inventory.', 'inventory'],
  ['product.', 'catalog'],
  ['catalog.', 'catalog'],
] as const;

type ReadScope = `${(typeof areas)[number][1]}.read`;

/** Events of other areas whose resource holds a customer. */
const eventsWithCustomer: ReadonlySet<EventName> = new Set([
  'order.created',
  'order.paid',
  'order.status.updated',
  'transaction.payment.refused',
  'cart.reminder',
]);

/**
 * The scopes that an app needs to receive an event, that of its area first. One grant must hold all
 * of them.
 */
export function requiredScopes(event: EventName): readonly ReadScope[] {
  const area = areas.find(([prefix]) => event.startsWith(prefix))?.[1];
  if (!area) throw new Error(`no scope for ${event}`);
  return eventsWithCustomer.has(event) ? [`${area}.read`, 'customers.read'] : [`${area}.read`];
}

/** Sorts the events of a webhook in the order of {@link eventNames}. */
export const withSortedEvents = <W extends { events: readonly EventName[] }>(webhook: W) => ({
  ...webhook,
  events: eventNames.filter((name) => webhook.events.includes(name)),
});
