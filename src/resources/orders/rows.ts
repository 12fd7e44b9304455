import { moveOrder } from '../../commerce/move-order.ts';
import { orderStatuses } from '../../commerce/order-arrows.ts';
import { orderIncludes, presentOrder, readWithOrder } from '../../commerce/order-reading.ts';
import { placeOrder } from '../../commerce/place-order.ts';
import { orders } from '../../db/schema/store.ts';
import { operation } from '../../http/operation.ts';
import { data, list, page } from '../../http/replies.ts';
import { anyOf, containsAny, equals, listing } from '../../wire/listing.ts';
import { Order } from '../shapes/order.ts';
import { newOrderOf } from './new-order-of.ts';
import { NewOrderRequest, OrderChanges, stateOf } from './requests.ts';
import { OrderState, orderState } from './states.ts';

const orderList = listing({
  sort: ['number', 'status', 'customer_id', 'value_total'],
  search: { number: 'number', track_code: 'text', customer_id: 'id', status: 'word' },
  includes: orderIncludes,
  filters: {
    status_id: anyOf('status_id', 'id', 'Any of these states, with commas or as status_id[].'),
    status: anyOf('status', 'word', 'Any of these states, with commas or as status[].'),
    customer_id: equals('customer_id', 'id'),
    q: containsAny(['number', 'track_code'], 'Text in the number or the track code.'),
  },
});

export const orderOperations = [
  operation({
    id: 'listOrders',
    route: 'GET /{alias}/orders',
    access: 'orders.read',
    query: orderList,
    reply: page(Order),
    rejects: [400],
    run: async ({ db, query }) => {
      const found = await db.page(orders, query, { extras: readWithOrder(query.includes) });
      return { ...found, rows: found.rows.map((row) => presentOrder(db.store, row)) };
    },
  }),
  operation({
    id: 'createOrder',
    route: 'POST /{alias}/orders',
    access: 'orders.write',
    body: NewOrderRequest,
    reply: data(201, Order),
    rejects: [409, 422],
    note: 'Needs shipping_address_id, of the customer, or a shipping_address. Without a price an item costs what its SKU costs now. With payment_id the first transaction comes along. status paid is for orders that were paid elsewhere; no other first state than it and waiting_payment. Too little stock is 409 out_of_stock and names the items. Answers with all includes.',
    run: ({ db, body }) => placeOrder(db, newOrderOf(body)),
  }),
  operation({
    id: 'showOrder',
    route: 'GET /{alias}/orders/{id}',
    access: 'orders.read',
    query: listing({ includes: orderIncludes }),
    reply: data(200, Order),
    rejects: [404],
    run: async ({ db, ids, query }) => {
      const found = await db.find(orders, ids.id, readWithOrder(query.includes));
      return found && presentOrder(db.store, found);
    },
  }),
  operation({
    id: 'updateOrder',
    route: 'PUT /{alias}/orders/{id}',
    access: 'orders.write',
    body: OrderChanges,
    reply: data(200, Order),
    rejects: [404, 409, 422],
    note: 'A cancelled or refused order takes its unpaid transactions with it; money that was paid is given back by cancelling the transaction. Cancelled before it was shipped, a paid order puts its units back. A refused order that waits for payment again reserves anew: 409 out_of_stock when the units are gone. Without another state no event is sent. Answers with all includes.',
    run: ({ db, ids, body: { status_id, status, ...columns } }) =>
      moveOrder(db, ids.id, { to: stateOf({ status_id, status }), columns }),
  }),
  operation({
    id: 'listOrderStates',
    route: 'GET /{alias}/checkout/statuses',
    access: 'orders.read',
    reply: list(OrderState),
    rejects: [],
    note: 'next holds the aliases of the states that may follow.',
    run: async () => orderStatuses.map(orderState),
  }),
];
