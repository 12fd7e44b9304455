import * as z from 'zod';
import { movedMoney } from '../../base/codecs/fields/scalars.ts';
import { choice } from '../../base/codecs/fields/text.ts';
import { anyOf, equals, listing } from '../../base/codecs/listing/listing.ts';
import { explainEnum, explainBody } from '../../base/codecs/meaning.ts';
import { requestBodies } from '../../base/codecs/request-bodies.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { assertTestStore } from '../../data/queries/test-clock.ts';
import { transactions, transactionStatuses } from '../../data/schema/store/transactions-tables.ts';
import { explainOperations, operation } from '../../http/operation.ts';
import { data, pageOfOneRecord, pageWithStringNumbers, longListNote } from '../../http/replies.ts';
import { TransactionSchema } from './schema.ts';
import {
  cancelTransaction,
  captureTransaction,
  changeTransaction,
  payTransaction,
  refuseTransaction,
} from './transaction-commands.ts';
import { serializeTransaction, transactionExtras } from './transaction-queries.ts';

/** The body of POST capture. Without `amount`, the whole authorized amount is captured. */
const CaptureRequest = requestBodies({
  optional: {
    amount: [
      z
        .optional(movedMoney)
        .describe(
          'Part of the authorized amount to take; the rest is released. Without it, all is taken.',
        ),
      undefined,
    ],
  },
}).post;

/* @__PURE__ */ explainBody(CaptureRequest, {
  CaptureTransactionInput: 'How much of an authorized payment to take; all of it without amount.',
});

const SimulationRequest = requestBodies({
  required: {
    outcome: choice(['authorize', 'pay', 'refuse']).describe(
      'What to pretend: authorize, pay or refuse.',
    ),
  },
}).post;

/* @__PURE__ */ explainBody(SimulationRequest, {
  SimulateTransactionInput: 'The answer that the gateway of a test store gives.',
});

/** Simulates the reaction of a bank. Throws 403 outside test stores. */
function simulateTransaction(db: StoreDb, id: number, outcome: 'authorize' | 'pay' | 'refuse') {
  assertTestStore(db.store, 'outcome');
  switch (outcome) {
    case 'authorize':
      return changeTransaction(db, id, ({ status }) =>
        status === 'authorized' ? undefined : { to: 'authorized' },
      );
    case 'pay':
      return payTransaction(db, id);
    case 'refuse':
      return refuseTransaction(db, id, { error_code: 51, error_message: 'Refused (simulated).' });
  }
}

const transactionList = listing({
  sort: ['amount', 'status'],
  search: {
    status: transactionStatuses,
    payment_id: 'id',
    customer_id: 'id',
    installments: 'number',
  },
  dates: ['authorized_at', 'captured_at', 'cancelled_at'],
  filters: {
    order_id: equals('order_id', 'id', 'Attempts to pay this order.'),
    status: anyOf(
      'status',
      transactionStatuses,
      'Transactions in any of these statuses, separated by commas or as several status[].',
    ),
  },
});

export const transactionOperations = [
  operation({
    id: 'listTransactions',
    route: 'GET /{alias}/checkout/transactions',
    access: 'transactions.read',
    query: transactionList,
    reply: pageWithStringNumbers(TransactionSchema),
    errors: [400],
    note: longListNote,
    run: async ({ db, query }) => {
      const found = await db.page(transactions, query, { extras: transactionExtras });
      return { ...found, rows: found.rows.map((row) => serializeTransaction(row)) };
    },
  }),
  operation({
    id: 'showTransaction',
    route: 'GET /{alias}/checkout/transactions/{id}',
    access: 'transactions.read',
    reply: pageOfOneRecord(TransactionSchema),
    errors: [],
    run: async ({ db, ids }) => {
      const found = await db.find(transactions, ids.id, transactionExtras);
      return found && serializeTransaction(found);
    },
  }),
  operation({
    id: 'captureTransaction',
    route: 'POST /{alias}/checkout/transactions/{id}/capture',
    access: 'transactions.write',
    body: CaptureRequest,
    reply: data(200, TransactionSchema),
    errors: [404, 409],
    run: ({ db, ids, body }) => captureTransaction(db, ids.id, body.amount),
  }),
  operation({
    id: 'cancelTransaction',
    route: 'POST /{alias}/checkout/transactions/{id}/cancel',
    access: 'transactions.write',
    reply: data(200, TransactionSchema),
    errors: [404, 409],
    run: ({ db, ids }) => cancelTransaction(db, ids.id),
  }),
  operation({
    id: 'simulateTransaction',
    route: 'POST /{alias}/checkout/transactions/{id}/simulate',
    access: 'transactions.write',
    body: SimulationRequest,
    reply: data(200, TransactionSchema),
    errors: [404, 409],
    run: ({ db, ids, body }) => simulateTransaction(db, ids.id, body.outcome),
  }),
];

/* @__PURE__ */ explainOperations({
  showTransaction:
    'order_id is an additional field. Fields that start with gateway_, bank_ or antifraud_, and billet_ fields except billet_date, come from a payment gateway and are null without one.',
  captureTransaction:
    'amount captures a part of the authorized amount and releases the rest. An order that waits for payment is paid once its captured transactions reach value_total; with less it waits on, and further transactions pay the rest.',
  cancelTransaction:
    'A captured transaction is refunded whole. The order stays unchanged while another transaction of it is live, if it was shipped, or if it has an invoice that is not cancelled.',
  simulateTransaction:
    'Only in test stores, which include the demo stores; other stores return 403. Cards are authorized from the start; authorize changes nothing then.',
});

/* @__PURE__ */ explainEnum(
  'TransactionOutcome',
  'What the provider is made to answer in a test store.',
  {
    authorize: 'The amount is blocked on the card, and you can capture it.',
    pay: 'The money arrives; an order that waits for payment becomes paid.',
    refuse: 'The payment fails; transaction.payment.refused is sent.',
  },
);
