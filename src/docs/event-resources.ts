import type * as z from 'zod';
import { eventMeanings, eventNames, requiredScopes, type EventName } from '../events/catalogue.ts';
import type { EventDefinition } from '../http/openapi/webhooks.ts';
import { ProductEventSchema } from '../schemas/catalog/product.ts';
import { StockEventSchema } from '../schemas/catalog/sku.ts';
import { CartEventSchema } from '../schemas/checkout/cart.ts';
import { AddressSchema, CustomerEventSchema } from '../schemas/checkout/customer.ts';
import { InvoiceEventSchema, OrderEventSchema } from '../schemas/checkout/order.ts';
import { TransactionEventSchema } from '../schemas/checkout/transaction.ts';

/** The schema of `resource` in each event. */
const resources: Record<EventName, z.ZodType> = {
  'order.created': OrderEventSchema,
  'order.paid': OrderEventSchema,
  'order.status.updated': OrderEventSchema,
  'order.invoice.created': InvoiceEventSchema,
  'order.invoice.updated': InvoiceEventSchema,
  'transaction.payment.refused': TransactionEventSchema,
  'cart.reminder': CartEventSchema,
  'customer.created': CustomerEventSchema,
  'customer.address.created': AddressSchema,
  'product.created': ProductEventSchema,
  'product.updated': ProductEventSchema,
  'product.deleted': ProductEventSchema,
  'product.inventory.updated': StockEventSchema,
};

/** All events as the OpenAPI document describes them. */
export const eventDefinitions: readonly EventDefinition[] = eventNames.map((name) => ({
  name,
  meaning: eventMeanings[name],
  scopes: requiredScopes(name),
  resource: resources[name],
}));
