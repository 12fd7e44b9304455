import type * as z from 'zod';
import { eventNames, meanings, readScope, type EventName } from '../events/catalogue.ts';
import type { EventContract } from '../http/openapi-webhooks.ts';
import { CartEvent } from '../resources/shapes/cart.ts';
import { Address, CustomerEvent } from '../resources/shapes/customer.ts';
import { InvoiceEvent, OrderEvent } from '../resources/shapes/order.ts';
import { ProductEvent, StockEvent } from '../resources/shapes/product.ts';
import { TransactionEvent } from '../resources/shapes/transaction.ts';

/** What `resource` of each event is. */
const resources: Record<EventName, z.ZodType> = {
  'order.created': OrderEvent,
  'order.paid': OrderEvent,
  'order.status.updated': OrderEvent,
  'order.invoice.created': InvoiceEvent,
  'order.invoice.updated': InvoiceEvent,
  'transaction.payment.refused': TransactionEvent,
  'cart.reminder': CartEvent,
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
