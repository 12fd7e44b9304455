import * as z from 'zod';
import { moneyOutput } from '../../codecs/fields/scalars.ts';
import { dateTime } from '../../codecs/time/date-time.ts';
import { customerRelation } from './customer.ts';
import { InvoiceSchema } from './invoice.ts';
import { TransactionSchema } from './transaction.ts';

const line = z.string();

export const OrderStatusSchema = z
  .object({ id: z.int(), alias: line, name: line })
  .meta({ id: 'OrderStatus' });

/** A status that an order has had since `created_at`. */
export const OrderHistorySchema = z
  .object({
    id: z.int(),
    order_id: z.int(),
    status_id: z.int(),
    alias: line,
    name: line,
    created_at: dateTime,
  })
  .meta({ id: 'OrderHistory' });

/** A SKU of an order, copied at the time of the sale. */
export const OrderItemSchema = z
  .object({
    id: z.int(),
    order_id: z.int(),
    sku_id: z.int(),
    product_id: z.int(),
    sku: line,
    name: line,
    title: line.nullable(),
    quantity: z.int(),
    price: moneyOutput.meta({ description: 'Price of one unit.' }),
    value_total: moneyOutput,
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'OrderItem' });

/** The shipping address of an order: a copy that does not change with the customer's address. */
export const OrderAddressSchema = z
  .object({
    id: z.int(),
    order_id: z.int(),
    receiver: line.nullable(),
    zipcode: line.nullable(),
    street: line.nullable(),
    number: line.nullable(),
    complement: line.nullable(),
    neighborhood: line.nullable(),
    city: line.nullable(),
    state: line.nullable(),
    country: line.nullable(),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'OrderAddress' });

const row = {
  id: z.int(),
  number: z.int(),
  merchant_id: z.int(),
  customer_id: z.int(),
  status_id: z.int(),
  status: z.object({ data: OrderStatusSchema }),
  desire_status_id: z
    .array(z.int())
    .meta({ description: 'Ids of the statuses that may follow the current one.' }),
  desire_status: z.array(line),
  authorized: z.boolean(),
  cancelled: z.boolean(),
  delivered: z.boolean(),
  value_products: moneyOutput,
  value_shipment: moneyOutput,
  value_discount: moneyOutput,
  value_tax: moneyOutput,
  value_total: moneyOutput,
  buyer_value_total: moneyOutput.meta({
    description: 'Total including the interest that the buyer pays.',
  }),
  cart_token: line.nullable(),
  shipment_service: line.nullable(),
  track_code: line.nullable(),
  track_url: line.nullable(),
  date_delivery: dateTime.nullable(),
  payments: z
    .array(z.object({ id: z.int(), alias: line, name: line }))
    .meta({ description: 'Payment types of the transactions of the order.' }),
  utm_source: line.nullable(),
  utm_medium: line.nullable(),
  utm_campaign: line.nullable(),
  utm_term: line.nullable(),
  utm_content: line.nullable(),
  metadata: z.object({ data: z.array(z.object({ key: line, value: line })) }),
  created_at: dateTime,
  updated_at: dateTime,
};

const relations = {
  customer: customerRelation,
  items: z.object({ data: z.array(OrderItemSchema) }),
  transactions: z.object({ data: z.array(TransactionSchema) }),
  invoices: z.object({ data: z.array(InvoiceSchema) }),
  shipping_address: z.object({ data: OrderAddressSchema.nullable() }),
  statuses: z.object({ data: z.array(OrderHistorySchema) }),
};

const OrderRowSchema = z.object(row).meta({ id: 'OrderRow' });

/** An order with the relations that `include` names. */
export const OrderSchema = z
  .object({ ...row, ...z.object(relations).partial().shape })
  .meta({ id: 'Order' });

/** `resource` of order.created, order.paid and order.status.updated, with all relations. */
export const OrderEventSchema = z.object({ ...row, ...relations }).meta({ id: 'OrderEvent' });

/** `resource` of order.invoice.created and order.invoice.updated. */
export const InvoiceEventSchema = InvoiceSchema.extend({
  order: z.object({ data: OrderRowSchema }),
}).meta({
  id: 'InvoiceEvent',
});
