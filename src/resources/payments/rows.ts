import { eq } from 'drizzle-orm';
import { givePaymentTypes } from '../../db/payment-types.ts';
import { paymentConfigurations, payments } from '../../db/schema/store.ts';
import { operation } from '../../http/operation.ts';
import { bare, page } from '../../http/replies.ts';
import { listing } from '../../wire/listing.ts';
import { PaymentConfiguration } from '../shapes/payment-configuration.ts';
import { paymentExtras, presentPayment } from '../shapes/payment-reading.ts';
import { ListedPayment } from '../shapes/payment.ts';
import { present, relations } from './reading.ts';
import { ConfigurationChanges } from './request.ts';
import { configurePayment } from './writing.ts';

const paymentList = listing({
  sort: ['alias', 'name'],
  search: { alias: 'text', name: 'text' },
});

export const paymentOperations = [
  operation({
    id: 'updatePaymentConfiguration',
    route: 'PUT /{alias}/checkout/payments/{paymentId}/config/{id}',
    access: 'payments.write',
    body: ConfigurationChanges,
    reply: bare(PaymentConfiguration),
    rejects: [],
    note: 'What is not sent stays; installments is replaced as a whole, and a number that stays keeps its id. default_display true takes it from the other payment types.',
    run: ({ db, ids, body }) => configurePayment(db, ids, body),
  }),
  operation({
    id: 'listPayments',
    route: 'GET /{alias}/checkout/payments',
    access: 'payments.read',
    query: paymentList,
    reply: page(ListedPayment),
    rejects: [400],
    note: 'A store has six payment types from the start, each with one inactive configuration, and an affiliation with the gateway manual, which captures by itself after 24 hours. config_id is the id that the rows of the configuration need.',
    run: async ({ db, query }) => {
      const read = () => db.page(payments, query, { extras: paymentExtras });
      let found = await read();
      if (found.total === 0) {
        // A store that was written into the directory by hand has not been given them yet.
        await givePaymentTypes(db);
        found = await read();
      }
      return { ...found, rows: found.rows.map(presentPayment) };
    },
  }),
  operation({
    id: 'showPaymentConfiguration',
    route: 'GET /{alias}/checkout/payments/{paymentId}/config/{id}',
    access: 'payments.read',
    reply: bare(PaymentConfiguration),
    rejects: [404],
    run: async ({ db, ids }) => {
      const isOwn = eq(paymentConfigurations.payment_id, ids.paymentId);
      const found = await db.find(paymentConfigurations, ids.id, relations, isOwn);
      return found && present(found);
    },
  }),
];
