import { eq } from 'drizzle-orm';
import { listing } from '../../../codecs/listing/listing.ts';
import { serializeStatusChange } from '../../../commerce/orders/queries.ts';
import { addTransaction } from '../../../commerce/transactions/add.ts';
import { serializeTransaction, transactionExtras } from '../../../commerce/transactions/queries.ts';
import {
  orderAddresses,
  orderItems,
  orders,
  orderStatuses,
} from '../../../db/schema/store/orders.ts';
import { transactions } from '../../../db/schema/store/transactions.ts';
import { operation } from '../../../http/operation.ts';
import { data, page, pageWithStringNumbers } from '../../../http/replies.ts';
import {
  OrderAddressSchema,
  OrderHistorySchema,
  OrderItemSchema,
} from '../../../schemas/checkout/order.ts';
import { TransactionSchema } from '../../../schemas/checkout/transaction.ts';
import { NewTransactionRequest } from './requests.ts';

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
    note: 'Pays the whole order. Cards and wallets are authorized at once; other types wait for payment. Allowed installments are 1 and those of the plan or, without a plan, up to max_installments_without_tax. Above that number the buyer pays the tax of the plan. A refused order waits for payment again.',
    run: ({ db, ids, body }) => addTransaction(db, ids.id, body),
  }),
];
