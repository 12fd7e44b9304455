import { eq } from 'drizzle-orm';
import { listing } from '../../base/codecs/listing/listing.ts';
import { paymentConfigurations, payments } from '../../data/schema/store/payments-tables.ts';
import { explainOperations, operation } from '../../http/operation.ts';
import { bareRecord, page } from '../../http/replies.ts';
import { configurePayment } from './commands.ts';
import {
  PaymentConfigurationSchema,
  serializePaymentConfiguration,
  paymentConfigurationRelations,
} from './configuration-schema.ts';
import { insertMissingPaymentTypes } from './payment-type-queries.ts';
import { PaymentConfigurationChanges } from './requests.ts';
import { paymentExtras, serializePayment, ListedPaymentSchema } from './schema.ts';

const paymentList = listing({
  sort: ['alias', 'name'],
  search: { alias: 'text', name: 'text' },
});

export const paymentOperations = [
  operation({
    id: 'updatePaymentConfiguration',
    route: 'PUT /{alias}/checkout/payments/{paymentId}/config/{id}',
    access: 'payments.write',
    body: PaymentConfigurationChanges,
    reply: bareRecord(PaymentConfigurationSchema),
    errors: [],
    run: ({ db, ids, body }) => configurePayment(db, ids, body),
  }),
  operation({
    id: 'listPayments',
    route: 'GET /{alias}/checkout/payments',
    access: 'payments.read',
    query: paymentList,
    reply: page(ListedPaymentSchema),
    errors: [400],
    run: async ({ db, query }) => {
      const readPage = () => db.page(payments, query, { extras: paymentExtras });
      let found = await readPage();
      if (found.total === 0) {
        // A store that was added to the directory by hand has no payment types yet.
        await insertMissingPaymentTypes(db);
        found = await readPage();
      }
      return { ...found, rows: found.rows.map(serializePayment) };
    },
  }),
  operation({
    id: 'showPaymentConfiguration',
    route: 'GET /{alias}/checkout/payments/{paymentId}/config/{id}',
    access: 'payments.read',
    reply: bareRecord(PaymentConfigurationSchema),
    errors: [404],
    run: async ({ db, ids }) => {
      const isOfPayment = eq(paymentConfigurations.payment_id, ids.paymentId);
      const found = await db.find(
        paymentConfigurations,
        ids.id,
        paymentConfigurationRelations,
        isOfPayment,
      );
      return found && serializePaymentConfiguration(found);
    },
  }),
];

/* @__PURE__ */ explainOperations({
  updatePaymentConfiguration:
    'Fields that are not sent keep their values. installments is replaced as a whole; an installment number that stays keeps its id. default_display true sets it to false on the other payment types.',
  listPayments:
    'Every store starts with six payment types, each with one inactive configuration, and one affiliation with the gateway manual, which captures automatically after 24 hours. config_id is the id in the paths of the configuration.',
});
