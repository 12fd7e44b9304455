import * as z from 'zod';
import { dateTime, recordTimes } from '../../base/codecs/fields/date-time.ts';
import { idOutput, merchantId } from '../../base/codecs/fields/ids.ts';
import { moneyOutput } from '../../base/codecs/fields/scalars.ts';
import { explainEnum, explain } from '../../base/codecs/meaning.ts';
import { writtenOutside } from '../../base/codecs/written-outside.ts';
import { orderStatusAliases } from '../../data/schema/store/orders-tables.ts';
import { paymentAliases } from '../../data/schema/store/payments-tables.ts';
import { customerRelation, placeMeanings } from '../customers/schema.ts';
import { invoiceMeanings, InvoiceSchema } from '../invoices/schema.ts';
import { MetadataPairSchema } from '../metadata.ts';
import { TransactionSchema } from '../transactions/schema.ts';

const line = z.string();

export const OrderStatusSchema = z
  .object({
    id: z.int(),
    alias: z.enum(orderStatusAliases),
    name: line,
  })
  .meta({ id: 'OrderStatusRecord' });

export const orderStatusMeanings = {
  id: 'Number of the status, the same in every store: status_id of an order.',
  alias: 'Word for the status, the same in every store.',
  name: 'English name for people.',
};

/* @__PURE__ */ explain(
  OrderStatusSchema,
  'A status of an order with its number, alias and English name.',
  orderStatusMeanings,
);

/** A status that an order has had since `created_at`. */
export const OrderHistorySchema = z
  .object({
    id: idOutput,
    order_id: z.int(),
    status_id: z.int(),
    alias: z.enum(orderStatusAliases),
    name: line,
    created_at: dateTime,
  })
  .meta({ id: 'OrderHistory' });

/* @__PURE__ */ explain(OrderHistorySchema, 'A status that an order entered at created_at.', {
  order_id: 'Which sale entered the status.',
  status_id: 'Number of the status, the same in every store.',
  alias: 'Word for the status.',
  name: 'English name of the status.',
  created_at: 'When the order entered the status.',
});

/** A SKU of an order, copied at the time of the sale. */
export const OrderItemSchema = z
  .object({
    id: idOutput,
    order_id: z.int(),
    sku_id: z.int(),
    product_id: z.int(),
    sku: line,
    name: line,
    title: line.nullable(),
    quantity: z.int(),
    price: moneyOutput,
    value_total: moneyOutput,
    ...recordTimes,
  })
  .meta({ id: 'OrderItem' });

/* @__PURE__ */ explain(
  OrderItemSchema,
  'A SKU of an order, as it was when sold: later changes of the catalogue do not reach it.',
  {
    order_id: 'Order that the item belongs to.',
    sku_id: 'SKU that was sold; it may be deleted by now.',
    product_id: 'Product of the SKU; it may be deleted by now.',
    sku: 'Code of the SKU when sold.',
    name: 'Name of the product when sold.',
    title: 'Title of the SKU when sold.',
    quantity: 'Units sold, taken from the stock if it is managed.',
    price: 'Price of one unit when sold, in the currency of the store.',
    value_total: 'price times quantity.',
  },
);

/** The shipping address of an order: a copy that does not change with the customer's address. */
export const OrderAddressSchema = z
  .object({
    id: idOutput,
    order_id: z.int(),
    receiver: writtenOutside(line.nullable()),
    zipcode: writtenOutside(line.nullable()),
    street: writtenOutside(line.nullable()),
    number: writtenOutside(line.nullable()),
    complement: writtenOutside(line.nullable()),
    neighborhood: writtenOutside(line.nullable()),
    city: writtenOutside(line.nullable()),
    state: writtenOutside(line.nullable()),
    country: writtenOutside(line.nullable()),
    ...recordTimes,
  })
  .meta({ id: 'OrderAddress' });

/* @__PURE__ */ explain(
  OrderAddressSchema,
  "Where an order goes: a copy that a change of the customer's address does not reach.",
  placeMeanings,
  {
    order_id: 'Order that is sent there.',
    receiver: 'Who takes the parcel; null after anonymisation, like all but state and country.',
    state: 'In Brazil one of the 27 abbreviations, such as SP.',
    country: 'ISO 3166 code of two letters.',
  },
);

const row = {
  id: idOutput,
  number: z.int(),
  merchant_id: merchantId,
  customer_id: z.int(),
  status_id: z.int(),
  status: z.object({ data: OrderStatusSchema }),
  desire_status_id: z.array(z.int()),
  desire_status: z.array(z.enum(orderStatusAliases)),
  authorized: z.boolean(),
  cancelled: z.boolean(),
  delivered: z.boolean(),
  value_products: moneyOutput,
  value_shipment: moneyOutput,
  value_discount: moneyOutput,
  value_tax: moneyOutput,
  value_total: moneyOutput,
  buyer_value_total: moneyOutput,
  cart_token: line.nullable(),
  shipment_service: line.nullable(),
  track_code: line.nullable(),
  track_url: line.nullable(),
  date_delivery: dateTime.nullable(),
  payments: z.array(
    z.object({
      id: z.int().describe('payment_id of the transactions.'),
      alias: z.enum(paymentAliases).describe('Word for the payment type, the same in every store.'),
      name: line.describe('What buyers read.'),
    }),
  ),
  utm_source: writtenOutside(line.nullable()),
  utm_medium: writtenOutside(line.nullable()),
  utm_campaign: writtenOutside(line.nullable()),
  utm_term: writtenOutside(line.nullable()),
  utm_content: writtenOutside(line.nullable()),
  metadata: z.object({ data: z.array(MetadataPairSchema) }),
  ...recordTimes,
};

const orderMeanings = {
  number: 'Number that buyers know, counted in each store from 1 without gaps.',
  customer_id: 'Customer who bought.',
  status_id: 'Number of the current status.',
  status: 'Where the order stands, such as paid, with the name that the store shows.',
  desire_status_id: 'Numbers of the statuses that may follow now: what PUT accepts.',
  desire_status: 'The same by alias.',
  authorized:
    'Whether the order is paid and stands: any status but waiting_payment, refused and cancelled.',
  cancelled: 'Whether the status is cancelled.',
  delivered: 'Whether the status is delivered.',
  value_products: 'Sum of the items, in the currency of the store.',
  value_shipment: 'What the buyer pays for shipping.',
  value_discount: 'What is taken off; at most the other amounts together.',
  value_tax: 'Taxes and fees on top.',
  value_total: 'Products, shipping and tax less the discount, without interest.',
  buyer_value_total: 'What the buyer pays: value_total with the interest of its live transactions.',
  cart_token: 'token of the cart that became this order; null for an order without one.',
  shipment_service: 'Shipping that the buyer chose, in the words of the shop.',
  track_code: 'Number by which the carrier finds the parcel.',
  track_url: 'Page of the carrier that follows the parcel.',
  date_delivery: 'Delivery date that you report: planned, or real once delivered.',
  payments: 'Payment types of all transactions of the order, by id.',
  utm_source: 'Where the visit came from, for your statistics; utm_ fields are kept as sent.',
  utm_medium: 'Kind of advertisement that led to the visit.',
  utm_campaign: 'Campaign that led to the visit.',
  utm_term: 'Search words that led to the visit.',
  utm_content: 'Version of the advertisement.',
  metadata: 'Your own key and value pairs, kept as sent and in events.',
};

const relations = {
  customer: customerRelation,
  items: z.object({ data: z.array(OrderItemSchema) }),
  transactions: z.object({ data: z.array(TransactionSchema) }),
  invoices: z.object({ data: z.array(InvoiceSchema) }),
  shipping_address: z.object({ data: OrderAddressSchema.nullable() }),
  statuses: z.object({ data: z.array(OrderHistorySchema) }),
};

const orderRelationMeanings = {
  items: 'Up to 100 items, by id.',
  transactions: 'Up to 100 transactions, by id.',
  invoices: 'Up to 100 invoices, by id.',
  shipping_address: 'Where it goes.',
  statuses: 'Every status so far, oldest first, up to 100.',
};

const OrderRowSchema = z.object(row).meta({ id: 'OrderRow' });

/* @__PURE__ */ explain(OrderRowSchema, 'An order without relations.', orderMeanings);

/** An order with the relations that `include` names. */
export const OrderSchema = z
  .object({ ...row, ...z.object(relations).partial().shape })
  .meta({ id: 'Order' });

/* @__PURE__ */ explain(
  OrderSchema,
  'A sale. Its status decides what may happen next, and each change of it sends an event.',
  orderMeanings,
  orderRelationMeanings,
);

/** `resource` of order.created, order.paid and order.status.updated, with all relations. */
export const OrderEventSchema = z.object({ ...row, ...relations }).meta({ id: 'OrderEvent' });

/* @__PURE__ */ explain(
  OrderEventSchema,
  'An order as its events carry it, with all relations.',
  orderMeanings,
  orderRelationMeanings,
);

/** `resource` of order.invoice.created and order.invoice.updated. */
export const InvoiceEventSchema = InvoiceSchema.extend({
  order: z.object({ data: OrderRowSchema }),
}).meta({ id: 'InvoiceEvent' });

/* @__PURE__ */ explain(
  InvoiceEventSchema,
  'An invoice after a change, with its order.',
  invoiceMeanings,
  { order: 'The order of the invoice, after the change.' },
);

/* @__PURE__ */ explainEnum(
  'OrderStatus',
  'Where an order is on its way to the buyer. Each status allows only some next ones; GET /{alias}/checkout/statuses lists them.',
  {
    waiting_payment: 'Placed, and no payment has arrived. Its units are reserved.',
    paid: 'The payment arrived. order.paid is sent once, at this moment.',
    handling_products: 'The shop picks and packs the products.',
    on_carriage: 'The carrier has the parcel.',
    delivered: 'The buyer has the parcel. Final.',
    cancelled: 'Given up; reserved units are free again. Final.',
    refused: 'The payment was refused. Another payment can still be made.',
    invoiced: 'The invoice is issued.',
    shipment_exception: 'The carrier reports a problem, such as a wrong address.',
    ready_for_shipping: 'Packed, and waits for the carrier.',
  },
);

/* @__PURE__ */ explainEnum('OrderStatusId', 'The number that stands for a status of an order.', {
  3: 'waiting_payment',
  4: 'paid',
  5: 'handling_products',
  6: 'on_carriage',
  7: 'delivered',
  8: 'cancelled',
  9: 'refused',
  10: 'invoiced',
  11: 'shipment_exception',
  12: 'ready_for_shipping',
});
