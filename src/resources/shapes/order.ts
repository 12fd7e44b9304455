import * as z from 'zod';
import { dateTime } from '../../wire/datetime.ts';
import { shownMoney } from '../../wire/money.ts';
import { Customer } from './customer.ts';
import { Invoice } from './invoice.ts';
import { Transaction } from './transaction.ts';

const line = z.string();

/** A state of an order. */
export const OrderStatus = z
  .object({ id: z.int(), alias: line, name: line })
  .meta({ id: 'OrderStatus' });

/** A state that an order has been in, since `created_at`. */
export const OrderHistory = z
  .object({
    id: z.int(),
    order_id: z.int(),
    status_id: z.int(),
    alias: line,
    name: line,
    created_at: dateTime,
  })
  .meta({ id: 'OrderHistory' });

/** A SKU of an order as it was sold. */
export const OrderItem = z
  .object({
    id: z.int(),
    order_id: z.int(),
    sku_id: z.int(),
    product_id: z.int(),
    sku: line,
    name: line,
    title: line.nullable(),
    quantity: z.int(),
    price: shownMoney.meta({ description: 'Of one unit.' }),
    value_total: shownMoney,
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'OrderItem' });

/** Where an order goes: a copy that stays when the customer's address changes. */
export const OrderAddress = z
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
  status: z.object({ data: OrderStatus }),
  desire_status_id: z.array(z.int()).meta({ description: 'Where the order may go now.' }),
  desire_status: z.array(line),
  authorized: z.boolean(),
  cancelled: z.boolean(),
  delivered: z.boolean(),
  value_products: shownMoney,
  value_shipment: shownMoney,
  value_discount: shownMoney,
  value_tax: shownMoney,
  value_total: shownMoney,
  buyer_value_total: shownMoney.meta({ description: 'With the interest that the buyer pays.' }),
  cart_token: line.nullable(),
  shipment_service: line.nullable(),
  track_code: line.nullable(),
  track_url: line.nullable(),
  date_delivery: dateTime.nullable(),
  payments: z
    .array(z.object({ id: z.int(), alias: line, name: line }))
    .meta({ description: 'The payment types of its transactions.' }),
  utm_source: line.nullable(),
  utm_medium: line.nullable(),
  utm_campaign: line.nullable(),
  utm_term: line.nullable(),
  utm_content: line.nullable(),
  metadata: z.object({ data: z.array(z.object({ key: line, value: line })) }),
  created_at: dateTime,
  updated_at: dateTime,
};

const includes = {
  customer: z.object({ data: Customer.nullable() }),
  items: z.object({ data: z.array(OrderItem) }),
  transactions: z.object({ data: z.array(Transaction) }),
  invoices: z.object({ data: z.array(Invoice) }),
  shipping_address: z.object({ data: OrderAddress.nullable() }),
  statuses: z.object({ data: z.array(OrderHistory) }),
};

/** An order without its relations. */
export const OrderRow = z.object(row).meta({ id: 'OrderRow' });

/** An order; its relations are there when they were asked for (sources 4). */
export const Order = z
  .object({ ...row, ...z.object(includes).partial().shape })
  .meta({ id: 'Order' });

/** `resource` of order.created, order.paid and order.status.updated: all includes. */
export const OrderEvent = z.object({ ...row, ...includes }).meta({ id: 'OrderEvent' });

/** `resource` of order.invoice.created and order.invoice.updated. */
export const InvoiceEvent = Invoice.extend({ order: z.object({ data: OrderRow }) }).meta({
  id: 'InvoiceEvent',
});
