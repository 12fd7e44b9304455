import { sql } from 'drizzle-orm';
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import { json, epochMs, reservedId, reservedIdOfPart, timestamps } from '../columns.ts';

/** The states of an order with their numbers (`status_id`). */
export const orderStatusIds = {
  waiting_payment: 3,
  paid: 4,
  handling_products: 5,
  on_carriage: 6,
  delivered: 7,
  cancelled: 8,
  refused: 9,
  invoiced: 10,
  shipment_exception: 11,
  ready_for_shipping: 12,
} as const;

export type OrderStatus = keyof typeof orderStatusIds;

export const orderStatusAliases = Object.keys(orderStatusIds) as [OrderStatus, ...OrderStatus[]];

/** The states of orders that are not paid, or whose sale did not come about. */
export const unauthorizedStatuses: readonly OrderStatus[] = [
  'waiting_payment',
  'refused',
  'cancelled',
];

const statusId = sql.raw(
  `case status ${Object.entries(orderStatusIds)
    .map(([word, number]) => `when '${word}' then ${number}`)
    .join(' ')} end`,
);

/**
 * The last order number of each store. The batch that inserts an order increments it, so that
 * numbers have no gaps.
 */
export const orderNumbers = sqliteTable(
  'order_numbers',
  {
    store_id: integer('store_id').notNull(),
    last: integer('last').notNull(),
  },
  (table) => [primaryKey({ columns: [table.store_id] })],
);

/**
 * Orders. Amounts in cents; `buyer_value_total` includes the interest that the buyer pays.
 * `revision` is their optimistic lock.
 */
export const orders = sqliteTable(
  'orders',
  {
    id: reservedId(),
    store_id: integer('store_id').notNull(),
    revision: integer('revision').notNull().default(1),
    number: integer('number').notNull(),
    customer_id: integer('customer_id').notNull(),
    cart_id: integer('cart_id'),
    cart_token: text('cart_token'),
    status: text('status', { enum: orderStatusAliases }).notNull(),
    status_id: integer('status_id').generatedAlwaysAs(statusId, { mode: 'virtual' }).notNull(),
    value_products: integer('value_products').notNull(),
    value_shipment: integer('value_shipment').notNull(),
    value_discount: integer('value_discount').notNull(),
    value_tax: integer('value_tax').notNull(),
    value_total: integer('value_total').notNull(),
    buyer_value_total: integer('buyer_value_total').notNull(),
    shipment_service: text('shipment_service'),
    track_code: text('track_code'),
    track_code_folded: text('track_code_folded'),
    track_url: text('track_url'),
    date_delivery: epochMs('date_delivery'),
    utm_source: text('utm_source'),
    utm_medium: text('utm_medium'),
    utm_campaign: text('utm_campaign'),
    utm_term: text('utm_term'),
    utm_content: text('utm_content'),
    metadata: json<{ key: string; value: string }[]>('metadata').notNull(),
    ...timestamps(),
  },
  (table) => [
    uniqueIndex('orders_number').on(table.store_id, table.number),
    uniqueIndex('orders_cart')
      .on(table.store_id, table.cart_id)
      .where(sql`${table.cart_id} is not null`),
    index('orders_store').on(table.store_id),
    index('orders_status').on(table.store_id, table.status),
    index('orders_customer').on(table.store_id, table.customer_id),
    index('orders_created').on(table.store_id, table.created_at),
    index('orders_updated').on(table.store_id, table.updated_at),
  ],
);

const order_id = () =>
  integer('order_id')
    .notNull()
    .references(() => orders.id, { onDelete: 'cascade' });

/**
 * The items of an order with name, SKU and prices as sold; later changes of the catalog do not
 * affect them. `stock_row_id` is the row of `stocks` that the units come from, null if the quantity
 * of the SKU is not managed.
 */
export const orderItems = sqliteTable(
  'order_items',
  {
    id: reservedIdOfPart(),
    store_id: integer('store_id').notNull(),
    order_id: order_id(),
    sku_id: integer('sku_id').notNull(),
    product_id: integer('product_id').notNull(),
    stock_row_id: integer('stock_row_id'),
    sku: text('sku').notNull(),
    name: text('name').notNull(),
    title: text('title'),
    quantity: integer('quantity').notNull(),
    price: integer('price').notNull(),
    value_total: integer('value_total').notNull(),
    ...timestamps(),
  },
  (table) => [primaryKey({ columns: [table.order_id, table.sku_id] })],
);

/** The shipping address of an order: a copy, unaffected by changes of the customer's address. */
export const orderAddresses = sqliteTable(
  'order_addresses',
  {
    id: reservedIdOfPart(),
    store_id: integer('store_id').notNull(),
    order_id: order_id(),
    receiver: text('receiver'),
    zipcode: text('zipcode'),
    street: text('street'),
    number: text('number'),
    complement: text('complement'),
    neighborhood: text('neighborhood'),
    city: text('city'),
    state: text('state'),
    country: text('country'),
    ...timestamps(),
  },
  (table) => [primaryKey({ columns: [table.order_id, table.id] })],
);

/** The history of an order: every state it has been in, including the first. */
export const orderStatuses = sqliteTable(
  'order_statuses',
  {
    id: reservedIdOfPart(),
    store_id: integer('store_id').notNull(),
    order_id: order_id(),
    status: text('status', { enum: orderStatusAliases }).notNull(),
    ...timestamps(),
  },
  (table) => [primaryKey({ columns: [table.order_id, table.id] })],
);

/** The states of an invoice; `cancelled` is final. */
export const invoiceStatuses = ['issued', 'corrected', 'cancelled'] as const;

/** Invoices (fiscal documents) of orders. They are cancelled, never deleted. `value` in cents. */
export const invoices = sqliteTable(
  'invoices',
  {
    id: reservedId(),
    store_id: integer('store_id').notNull(),
    order_id: integer('order_id')
      .notNull()
      .references(() => orders.id, { onDelete: 'cascade' }),
    number: integer('number').notNull(),
    series: integer('series').notNull(),
    access_key: text('access_key').notNull(),
    access_key_key: text('access_key_key').notNull(),
    value: integer('value').notNull(),
    issued_at: epochMs('issued_at').notNull(),
    url: text('url'),
    status: text('status', { enum: invoiceStatuses }).notNull(),
    ...timestamps(),
  },
  (table) => [
    uniqueIndex('invoices_access_key').on(table.store_id, table.access_key_key),
    index('invoices_order').on(table.order_id),
  ],
);
