import type * as z from 'zod';
import { ProductEventSchema } from '../catalog/products/schema.ts';
import { StockEventSchema } from '../catalog/skus/schema.ts';
import { ImportEventSchema } from '../catalog/transfers/schema.ts';
import {
  eventMeanings,
  eventNames,
  requiredScopes,
  type EventName,
} from '../data/grants/event-catalogue.ts';
import type { EventDefinition } from '../http/openapi/webhook-objects.ts';
import { CartEventSchema } from '../sales/carts/schema.ts';
import { AddressSchema, CustomerEventSchema } from '../sales/customers/schema.ts';
import { InvoiceEventSchema, OrderEventSchema } from '../sales/orders/schema.ts';
import { TransactionEventSchema } from '../sales/transactions/schema.ts';

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
  'catalog.import_completed': ImportEventSchema,
};

/** All events as the OpenAPI document describes them. */
export const eventDefinitions: readonly EventDefinition[] = eventNames.map((name) => ({
  name,
  meaning: eventMeanings[name],
  scopes: requiredScopes(name),
  resource: resources[name],
}));
