import { eq } from 'drizzle-orm';
import * as z from 'zod';
import { recordId } from '../../base/codecs/fields/ids.ts';
import { movedMoney } from '../../base/codecs/fields/scalars.ts';
import { listing } from '../../base/codecs/listing/listing.ts';
import { explainBody } from '../../base/codecs/meaning.ts';
import { requestBodies } from '../../base/codecs/request-bodies.ts';
import {
  orderAddresses,
  orderItems,
  orders,
  orderStatuses,
} from '../../data/schema/store/orders-tables.ts';
import { transactions } from '../../data/schema/store/transactions-tables.ts';
import { explainOperations, operation } from '../../http/operation.ts';
import { data, page, pageWithStringNumbers } from '../../http/replies.ts';
import { paymentFields } from '../checkout-fields.ts';
import { addTransaction } from '../transactions/add.ts';
import { TransactionSchema } from '../transactions/schema.ts';
import { serializeTransaction, transactionExtras } from '../transactions/transaction-queries.ts';
import { serializeStatusChange } from './order-queries.ts';
import { OrderAddressSchema, OrderHistorySchema, OrderItemSchema } from './schema.ts';

/** The body of POST transactions of an order. */
const NewTransactionRequest = requestBodies({
  required: {
    payment_id: recordId().describe(
      'Payment type that the buyer chose; it must be active in the store.',
    ),
  },
  optional: {
    ...paymentFields,
    amount: [
      z
        .optional(movedMoney)
        .describe('Part of the total to pay, as with two cards. Without it, all that is left.'),
      undefined,
    ],
  },
}).post;

/* @__PURE__ */ explainBody(NewTransactionRequest, {
  OrderTransactionInput: 'How the buyer pays for an order this time.',
});

export const orderPartOperations = [
  operation({
    id: 'listOrderHistory',
    route: 'GET /{alias}/orders/{id}/statuses',
    access: 'orders.read',
    query: listing(),
    reply: page(OrderHistorySchema),
    errors: [404],
    run: async ({ db, ids, query }) => {
      const where = eq(orderStatuses.order_id, ids.id);
      const found = await db.pageOfParent(orders, ids.id, orderStatuses, query, { where });
      return found && { ...found, rows: found.rows.map(serializeStatusChange) };
    },
  }),
  operation({
    id: 'listOrderItems',
    route: 'GET /{alias}/orders/{id}/items',
    access: 'orders.read',
    query: listing(),
    reply: page(OrderItemSchema),
    errors: [404],
    run: ({ db, ids, query }) =>
      db.pageOfParent(orders, ids.id, orderItems, query, {
        where: eq(orderItems.order_id, ids.id),
      }),
  }),
  operation({
    id: 'listOrderAddresses',
    route: 'GET /{alias}/orders/{id}/addresses',
    access: 'orders.read',
    query: listing(),
    reply: page(OrderAddressSchema),
    errors: [404],
    run: ({ db, ids, query }) =>
      db.pageOfParent(orders, ids.id, orderAddresses, query, {
        where: eq(orderAddresses.order_id, ids.id),
      }),
  }),
  operation({
    id: 'listOrderTransactions',
    route: 'GET /{alias}/orders/{id}/transactions',
    access: 'transactions.read',
    query: listing(),
    reply: pageWithStringNumbers(TransactionSchema),
    errors: [404],
    run: async ({ db, ids, query }) => {
      const found = await db.pageOfParent(orders, ids.id, transactions, query, {
        where: eq(transactions.order_id, ids.id),
        extras: transactionExtras,
      });
      return found && { ...found, rows: found.rows.map((row) => serializeTransaction(row)) };
    },
  }),
  operation({
    id: 'createOrderTransaction',
    route: 'POST /{alias}/orders/{id}/transactions',
    access: 'transactions.write',
    body: NewTransactionRequest,
    reply: data(201, TransactionSchema),
    errors: [404, 409, 422],
    run: ({ db, ids, body }) => addTransaction(db, ids.id, body),
  }),
];

/* @__PURE__ */ explainOperations({
  createOrderTransaction:
    'Pays what authorized and captured transactions leave of value_total, or amount of it. Live transactions never add up to more: if nothing is left it is 409 order_not_payable. Those that wait for payment are cancelled if they leave too little for this one, as when a buyer changes from pix to a card. Cards and wallets are authorized at once; other types wait for payment. Allowed installments are 1 and those of the plan or, without a plan, up to max_installments_without_tax. Above that number the buyer pays the tax of the plan. A refused order waits for payment again.',
});
