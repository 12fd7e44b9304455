import { sql } from 'drizzle-orm';
import * as z from 'zod';
import { explainEnum, explain } from '../../base/codecs/meaning.ts';
import type { Row } from '../../data/core/store-table.ts';
import { computedNumber } from '../../data/queries/relations.ts';
import {
  paymentAliases,
  paymentConfigurations,
  payments,
} from '../../data/schema/store/payments-tables.ts';

const example = {
  id: 2,
  alias: 'pix',
  name: 'Pix',
  has_config: true,
  active_config: true,
  is_credit_card: false,
  is_deposit: false,
  is_billet: false,
  is_pix: true,
  is_pix_in_installments: false,
  is_wallet: false,
  icon_url: null,
};

/**
 * A payment type of a store. Exactly one of the six fields from `is_credit_card` to `is_wallet` is
 * true.
 */
export const PaymentSchema = z
  .object({
    id: z.int(),
    alias: z.enum(paymentAliases),
    name: z.string(),
    has_config: z.boolean(),
    active_config: z.boolean(),
    is_credit_card: z.boolean(),
    is_deposit: z.boolean(),
    is_billet: z.boolean(),
    is_pix: z.boolean(),
    is_pix_in_installments: z.boolean(),
    is_wallet: z.boolean(),
    icon_url: z.string().nullable(),
  })
  .meta({
    id: 'Payment',
    examples: [example],
  });

const paymentMeanings = {
  id: 'payment_id of transactions and configurations; differs from store to store.',
  alias: 'Word for the payment type, the same in every store.',
  name: 'What buyers read.',
  has_config: 'Whether the store has a configuration for it; always true.',
  active_config: 'Whether the configuration is active, so that buyers can pay this way.',
  is_credit_card: 'Whether alias is credit_card.',
  is_deposit: 'Whether alias is deposit: a transfer that you confirm by hand.',
  is_billet: 'Whether alias is billet: a boleto.',
  is_pix: 'Whether alias is pix.',
  is_pix_in_installments: 'Whether alias is pix_in_installments.',
  is_wallet: 'Whether alias is wallet.',
  icon_url: 'Address of a picture for the checkout; null for none.',
};

/* @__PURE__ */ explain(
  PaymentSchema,
  'A way to pay, such as Pix. Every store has the same six; the service makes them.',
  paymentMeanings,
);

/** A payment type in the list, which adds the id of its configuration. */
export const ListedPaymentSchema = PaymentSchema.extend({
  config_id: z
    .int()
    .meta({ description: 'Id of the payment configuration, as used in its paths.' }),
}).meta({
  id: 'ListedPayment',
  examples: [{ ...example, config_id: 2 }],
});

/* @__PURE__ */ explain(
  ListedPaymentSchema,
  'A payment type with the id of its configuration.',
  paymentMeanings,
);

const fromConfiguration = sql`from ${paymentConfigurations} where ${paymentConfigurations.payment_id} = ${payments.id}`;

/** Id and state of the configuration of a payment type; 0 when it has none. */
export const paymentExtras = {
  config_id: computedNumber(
    sql`coalesce((select ${paymentConfigurations.id} ${fromConfiguration}), 0)`,
  ),
  config_active: computedNumber(
    sql`coalesce((select ${paymentConfigurations.active} ${fromConfiguration}), 0)`,
  ),
};

/** A payment type with {@link paymentExtras}. */
export type PaymentRecord = Row<typeof payments> & { config_id: number; config_active: number };

export const serializePayment = (payment: PaymentRecord) => ({
  ...payment,
  has_config: payment.config_id > 0,
  active_config: payment.config_active === 1,
  is_credit_card: payment.alias === 'credit_card',
  is_deposit: payment.alias === 'deposit',
  is_billet: payment.alias === 'billet',
  is_pix: payment.alias === 'pix',
  is_pix_in_installments: payment.alias === 'pix_in_installments',
  is_wallet: payment.alias === 'wallet',
});

/* @__PURE__ */ explainEnum(
  'PaymentAlias',
  'A way to pay. Every store has these six; their configuration decides which are on.',
  {
    credit_card: 'Credit card, authorized first and captured later or at once.',
    pix: "Instant transfer of Brazil's central bank.",
    pix_in_installments: 'Pix that the buyer pays in parts.',
    billet: 'Boleto: a bank slip with a last day to pay.',
    deposit: 'Transfer to the bank account of the store.',
    wallet: 'Digital wallet.',
  },
);
