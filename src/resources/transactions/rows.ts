import * as z from 'zod';
import { cancelTransaction } from '../../commerce/cancel-transaction.ts';
import { captureTransaction } from '../../commerce/capture-transaction.ts';
import { presentTransaction, withPayment } from '../../commerce/transaction-reading.ts';
import { transactions } from '../../db/schema/store.ts';
import { operation } from '../../http/operation.ts';
import { data, pageOfOne, pageOfStrings } from '../../http/replies.ts';
import { anyOf, equals, listing } from '../../wire/listing.ts';
import { money } from '../../wire/money.ts';
import { request } from '../../wire/request.ts';
import { Transaction } from '../shapes/transaction.ts';
import { simulate, Simulation } from './simulate.ts';

const transactionList = listing({
  sort: ['amount', 'status'],
  search: { status: 'word', payment_id: 'id', customer_id: 'id', installments: 'number' },
  dates: ['authorized_at', 'captured_at', 'cancelled_at'],
  filters: {
    order_id: equals('order_id', 'id'),
    status: anyOf('status', 'word', 'Any of these states, with commas or as status[].'),
  },
});

const Capture = request({ optional: { amount: [z.optional(money), undefined] } }).post;

export const transactionOperations = [
  operation({
    id: 'listTransactions',
    route: 'GET /{alias}/checkout/transactions',
    access: 'transactions.read',
    query: transactionList,
    reply: pageOfStrings(Transaction),
    rejects: [400],
    run: async ({ db, query }) => {
      const found = await db.page(transactions, query, { extras: withPayment });
      return { ...found, rows: found.rows.map((row) => presentTransaction(row)) };
    },
  }),
  operation({
    id: 'showTransaction',
    route: 'GET /{alias}/checkout/transactions/{id}',
    access: 'transactions.read',
    reply: pageOfOne(Transaction),
    rejects: [],
    note: 'order_id is an addition. gateway_*, bank_*, antifraud_* and billet_* but billet_date are what a gateway says; they are null while none is connected.',
    run: async ({ db, ids }) => {
      const found = await db.find(transactions, ids.id, withPayment);
      return found && presentTransaction(found);
    },
  }),
  operation({
    id: 'captureTransaction',
    route: 'POST /{alias}/checkout/transactions/{id}/capture',
    access: 'transactions.write',
    body: Capture,
    reply: data(200, Transaction),
    rejects: [404, 409],
    note: 'amount takes a part of what was authorized and lets go of the rest. The order is paid with its first captured transaction.',
    run: ({ db, ids, body }) => captureTransaction(db, ids.id, body.amount),
  }),
  operation({
    id: 'cancelTransaction',
    route: 'POST /{alias}/checkout/transactions/{id}/cancel',
    access: 'transactions.write',
    reply: data(200, Transaction),
    rejects: [404, 409],
    note: 'An order that was shipped, or has an invoice that is not cancelled, stays as it is when its money goes back.',
    run: ({ db, ids }) => cancelTransaction(db, ids.id),
  }),
  operation({
    id: 'simulateTransaction',
    route: 'POST /{alias}/checkout/transactions/{id}/simulate',
    access: 'transactions.write',
    body: Simulation,
    reply: data(200, Transaction),
    rejects: [404, 409],
    note: 'In test stores alone, the demo ones among them: elsewhere 403. authorize confirms a transaction that is authorized, as cards are from the start.',
    run: ({ db, ids, body }) => simulate(db, ids.id, body.outcome),
  }),
];
