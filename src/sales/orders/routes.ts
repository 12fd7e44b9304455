import * as z from 'zod';
import {
  anyOf,
  containsAny,
  equals,
  listing,
  type Listing,
  recordQuery,
} from '../../base/codecs/listing/listing.ts';
import { explain } from '../../base/codecs/meaning.ts';
import type { Row } from '../../data/core/store-table.ts';
import {
  orders,
  orderStatusAliases,
  orderStatusIds,
  type OrderStatus,
} from '../../data/schema/store/orders-tables.ts';
import { explainOperations, operation } from '../../http/operation.ts';
import { data, dataList, page, longListNote } from '../../http/replies.ts';
import { changeOrder } from './change-order.ts';
import { orderIncludes, serializeOrder, orderExtrasWith } from './order-queries.ts';
import { allOrderStatuses, orderTransitions, serializeOrderStatus } from './order-states.ts';
import { placeOrder } from './place-order.ts';
import { toNewOrder, NewOrderRequest, OrderChanges, resolveStatus } from './requests.ts';
import { OrderSchema, orderStatusMeanings, OrderStatusSchema } from './schema.ts';

/** An order status with the aliases of those that may follow. */
const OrderStateSchema = OrderStatusSchema.extend({
  next: z.array(z.enum(orderStatusAliases)),
}).meta({ id: 'OrderState' });

/* @__PURE__ */ explain(
  OrderStateSchema,
  'A status of orders with those that may follow it.',
  orderStatusMeanings,
  { next: 'Statuses that may follow, by alias; empty for a final one.' },
);

const serializeOrderState = (status: OrderStatus) => ({
  ...serializeOrderStatus(status),
  next: [...orderTransitions[status]],
});

const orderList = listing({
  sort: ['number', 'status', 'customer_id', 'value_total'],
  search: { number: 'number', track_code: 'code', customer_id: 'id', status: orderStatusAliases },
  includes: orderIncludes,
  filters: {
    status_id: anyOf(
      'status_id',
      Object.values(orderStatusIds),
      'Orders in any of these statuses by number, separated by commas or as several status_id[].',
    ),
    status: anyOf(
      'status',
      orderStatusAliases,
      'Orders that are in any of these statuses now by alias, separated by commas or as several status[]. A delivered order was paid, too.',
    ),
    customer_id: equals(
      'customer_id',
      'id',
      'What this buyer bought, by the number of the customer.',
    ),
    q: containsAny(
      { number: 'text', track_code: 'code' },
      'Orders whose number or tracking number contains this text.',
    ),
  },
});

type OrderCondition = Listing<keyof Row<typeof orders>>['where'];

/** Replaces numbers of statuses by their words, so that one index serves both filters. */
function withStatusWords(condition: OrderCondition): OrderCondition {
  if ('all' in condition) return { all: condition.all.map(withStatusWords) };
  if ('any' in condition) return { any: condition.any.map(withStatusWords) };
  if (condition.column !== 'status_id' || condition.is !== 'in') return condition;
  const numbers = new Set(condition.values);
  const values = orderStatusAliases.filter((word) => numbers.has(orderStatusIds[word]));
  return { column: 'status', is: 'in', values };
}

export const orderOperations = [
  operation({
    id: 'listOrders',
    route: 'GET /{alias}/orders',
    access: 'orders.read',
    query: orderList,
    reply: page(OrderSchema),
    errors: [400],
    note: longListNote,
    run: async ({ db, query }) => {
      const byWord = { ...query, where: withStatusWords(query.where) };
      const found = await db.page(orders, byWord, { extras: orderExtrasWith(query.includes) });
      return { ...found, rows: found.rows.map((row) => serializeOrder(db.store, row)) };
    },
  }),
  operation({
    id: 'createOrder',
    route: 'POST /{alias}/orders',
    access: 'orders.write',
    body: NewOrderRequest,
    reply: data(201, OrderSchema),
    errors: [409, 422],
    run: ({ db, body }) => placeOrder(db, toNewOrder(body)),
  }),
  operation({
    id: 'showOrder',
    route: 'GET /{alias}/orders/{id}',
    access: 'orders.read',
    query: recordQuery(orderIncludes),
    reply: data(200, OrderSchema),
    errors: [404],
    run: async ({ db, ids, query }) => {
      const found = await db.find(orders, ids.id, orderExtrasWith(query.includes));
      return found && serializeOrder(db.store, found);
    },
  }),
  operation({
    id: 'updateOrder',
    route: 'PUT /{alias}/orders/{id}',
    access: 'orders.write',
    body: OrderChanges,
    reply: data(200, OrderSchema),
    errors: [404, 409, 422],
    run: ({ db, ids, body: { status_id, status, ...columns } }) =>
      changeOrder(db, ids.id, { to: resolveStatus({ status_id, status }), columns }),
  }),
  operation({
    id: 'listOrderStates',
    route: 'GET /{alias}/checkout/statuses',
    access: 'orders.read',
    reply: dataList(OrderStateSchema),
    errors: [],
    run: async () => allOrderStatuses.map(serializeOrderState),
  }),
];

/* @__PURE__ */ explainOperations({
  createOrder:
    'Needs shipping_address_id, an address of the customer, or shipping_address. An item without a price costs what its SKU costs now. With payment_id, the first transaction is created as well. status is waiting_payment or paid, which is for orders that were paid elsewhere. Too little stock returns 409 out_of_stock with the items in errors. Returns the order with all includes. An app needs customers.read for customer_id and customers.write for customer. The order, its new customer and a captured payment (status paid with payment_id) are one change: all or nothing.',
  updateOrder:
    'Cancelling or refusing an order ends its unpaid transactions; captured money is refunded by cancelling the transaction. Status paid captures nothing: it says that the money came another way. Cancelling a paid order before shipping returns its units to stock. Returning a refused order to waiting_payment reserves its units again: 409 out_of_stock when they are gone. Without another status no event is sent. Returns the order with all includes; an app sees customer with customers.read only.',
  listOrderStates: 'next holds the aliases of the statuses that may follow.',
});
