import { eq } from 'drizzle-orm';
import { addTransaction } from '../../commerce/add-transaction.ts';
import { presentHistory } from '../../commerce/order-reading.ts';
import { presentTransaction, withPayment } from '../../commerce/transaction-reading.ts';
import {
  orderAddresses,
  orderItems,
  orders,
  orderStatuses,
  transactions,
} from '../../db/schema/store.ts';
import { operation } from '../../http/operation.ts';
import { data, page, pageOfStrings } from '../../http/replies.ts';
import { id } from '../../wire/id.ts';
import { listing } from '../../wire/listing.ts';
import { request } from '../../wire/request.ts';
import { OrderAddress, OrderHistory, OrderItem } from '../shapes/order.ts';
import { paymentChoice } from '../shapes/payment-choice.ts';
import { Transaction } from '../shapes/transaction.ts';

/** The body of POST transactions of an order (sources 5). */
const NewTransaction = request({
  required: { payment_id: id() },
  optional: paymentChoice,
}).post;

export const orderPartOperations = [
  operation({
    id: 'listOrderHistory',
    route: 'GET /{alias}/orders/{id}/statuses',
    access: 'orders.read',
    query: listing(),
    reply: page(OrderHistory),
    rejects: [404],
    run: async ({ db, ids, query }) => {
      const where = eq(orderStatuses.order_id, ids.id);
      const found = await db.pageUnder(orders, ids.id, orderStatuses, query, { where });
      return found && { ...found, rows: found.rows.map(presentHistory) };
    },
  }),
  operation({
    id: 'listOrderItems',
    route: 'GET /{alias}/orders/{id}/items',
    access: 'orders.read',
    query: listing(),
    reply: page(OrderItem),
    rejects: [404],
    run: ({ db, ids, query }) =>
      db.pageUnder(orders, ids.id, orderItems, query, { where: eq(orderItems.order_id, ids.id) }),
  }),
  operation({
    id: 'listOrderAddresses',
    route: 'GET /{alias}/orders/{id}/addresses',
    access: 'orders.read',
    query: listing(),
    reply: page(OrderAddress),
    rejects: [404],
    run: ({ db, ids, query }) =>
      db.pageUnder(orders, ids.id, orderAddresses, query, {
        where: eq(orderAddresses.order_id, ids.id),
      }),
  }),
  operation({
    id: 'listOrderTransactions',
    route: 'GET /{alias}/orders/{id}/transactions',
    access: 'transactions.read',
    query: listing(),
    reply: pageOfStrings(Transaction),
    rejects: [404],
    run: async ({ db, ids, query }) => {
      const found = await db.pageUnder(orders, ids.id, transactions, query, {
        where: eq(transactions.order_id, ids.id),
        extras: withPayment,
      });
      return found && { ...found, rows: found.rows.map((row) => presentTransaction(row)) };
    },
  }),
  operation({
    id: 'createOrderTransaction',
    route: 'POST /{alias}/orders/{id}/transactions',
    access: 'transactions.write',
    body: NewTransaction,
    reply: data(201, Transaction),
    rejects: [404, 409, 422],
    note: 'Is about the whole order. A card or a wallet is authorized, anything else waits for payment. Allowed installments: one, and those of the plan or, without a plan, up to max_installments_without_tax; above that number the buyer pays the tax of the plan. A refused order waits for payment again.',
    run: ({ db, ids, body }) => addTransaction(db, ids.id, body),
  }),
];
