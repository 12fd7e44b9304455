/** The events of the specification, in its order, with its column "Meaning". */
export const meanings = {
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

export type EventName = keyof typeof meanings;

/** The names alone, in the order of the specification. */
export const eventNames = Object.keys(meanings) as [EventName, ...EventName[]];

const areas = [
  ['order.invoice.', 'invoices'],
  ['order.', 'orders'],
  ['transaction.', 'transactions'],
  ['cart.', 'carts'],
  ['customer.', 'customers'],
  ['product.inventory.', 'inventory'],
  ['product.', 'catalog'],
] as const;

type ReadScope = `${(typeof areas)[number][1]}.read`;

/** The scope that a token needs to be told of an event (contract 5). */
export function readScope(event: EventName): ReadScope {
  const area = areas.find(([prefix]) => event.startsWith(prefix))?.[1];
  if (!area) throw new Error(`no scope for ${event}`);
  return `${area}.read`;
}
