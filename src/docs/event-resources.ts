import type { z } from 'zod';
import { eventNames, meanings, readScope, type EventName } from '../events/catalogue.ts';
import type { EventContract } from '../http/openapi-webhooks.ts';
import { Address, CustomerEvent } from '../resources/shapes/customer.ts';
import { ProductEvent, StockEvent } from '../resources/shapes/product.ts';

/** What `resource` of each event is: its schema, or a sentence while there is none. */
const resources: Record<EventName, z.ZodType | string> = {
  'order.created': 'The order with all includes.',
  'order.paid': 'The order with all includes.',
  'order.status.updated': 'The order with all includes.',
  'order.invoice.created': 'The invoice with its order.',
  'order.invoice.updated': 'The invoice with its order.',
  'transaction.payment.refused': 'The transaction with its payment, customer and cart.',
  'cart.reminder': 'The cart with its items and customer.',
  'customer.created': CustomerEvent,
  'customer.address.created': Address,
  'product.created': ProductEvent,
  'product.updated': ProductEvent,
  'product.deleted': ProductEvent,
  'product.inventory.updated': StockEvent,
};

/** The events as the document describes them. */
export const eventContracts: readonly EventContract[] = eventNames.map((name) => ({
  name,
  meaning: meanings[name],
  scope: readScope(name),
  resource: resources[name],
}));
