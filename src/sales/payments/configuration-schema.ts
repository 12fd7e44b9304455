import { eq, sql } from 'drizzle-orm';
import * as z from 'zod';
import { dateTime, isoDateTime, recordTimes } from '../../base/codecs/fields/date-time.ts';
import { idOutput } from '../../base/codecs/fields/ids.ts';
import { boolOutput, moneyOutput } from '../../base/codecs/fields/scalars.ts';
import { explain } from '../../base/codecs/meaning.ts';
import type { Row } from '../../data/core/store-table.ts';
import { computedNumber, toMany, toOne } from '../../data/queries/relations.ts';
import {
  affiliations,
  paymentConfigurations,
  paymentInstallments,
  payments,
} from '../../data/schema/store/payments-tables.ts';
import { AffiliationSchema } from './affiliation-schema.ts';
import { PaymentSchema, paymentExtras, serializePayment, type PaymentRecord } from './schema.ts';

export const InstallmentSchema = z
  .object({
    id: idOutput,
    payment_id: z.int(),
    installment: z.int(),
    tax: z.number(),
    percent_discount: z.number(),
    start_at: dateTime.nullable(),
    end_at: dateTime.nullable(),
    ...recordTimes,
  })
  .meta({ id: 'Installment' });

/* @__PURE__ */ explain(
  InstallmentSchema,
  'One number of installments of a plan, with its interest.',
  {
    payment_id: 'Payment type that the plan is for.',
    installment: 'Number of parts, 1 to 24; each once in a plan.',
    tax: 'Interest in per cent of the amount, for all parts together; paid by the buyer above max_installments_without_tax.',
    percent_discount:
      'Discount in per cent for this number, for the shop to show; orders do not apply it.',
    start_at: 'From when the number is offered; null: at once.',
    end_at: 'Until when the number is offered; null: without end.',
  },
);

/**
 * How a store accepts one payment type. Unlike elsewhere, its own timestamps are ISO 8601 in UTC.
 */
export const PaymentConfigurationSchema = z
  .object({
    id: idOutput,
    payment_id: z.int(),
    affiliation_id: z.int().nullable(),
    active: boolOutput,
    default_display: boolOutput,
    spread: boolOutput,
    ignore_promotions: boolOutput,
    accumulate_discount: boolOutput,
    percent_discount: z.number(),
    min_installment_value: moneyOutput,
    max_installments_without_tax: z.int(),
    billet_expire_days: z.int(),
    days_to_cancel_unpaid_billets: z.int(),
    hours_to_cancel_unpaid_pix: z.int(),
    billet_instructions: z.string().nullable(),
    installments: z.object({ data: z.array(InstallmentSchema) }),
    affiliation: z.object({ data: AffiliationSchema.nullable() }),
    payment: z.object({ data: PaymentSchema }),
    created_at: isoDateTime,
    updated_at: isoDateTime,
  })
  .meta({ id: 'PaymentConfiguration' });

/* @__PURE__ */ explain(
  PaymentConfigurationSchema,
  'How the store accepts one payment type. Its own timestamps are ISO 8601 in UTC.',
  {
    payment_id: 'Payment type that is configured.',
    affiliation_id:
      'Contract that new payments use; null for none, then nothing is captured by itself.',
    active: 'Whether orders can be paid this way; while false, such a payment is 422.',
    default_display:
      'Whether the checkout shows this type first; true takes it from the other types.',
    spread: 'Whether the shop shows the price in installments; the service only keeps it.',
    ignore_promotions:
      'Whether the shop leaves out promotions for this type; the service only keeps it.',
    accumulate_discount:
      'Whether percent_discount adds to other discounts in the shop; the service only keeps it.',
    percent_discount:
      'Discount in per cent that the shop shows for this type; orders do not apply it.',
    min_installment_value:
      'Smallest part that the buyer may pay, in the currency of the store; numbers below it are not allowed.',
    max_installments_without_tax:
      'Up to this number the buyer pays no interest; without a plan it is also the highest number.',
    billet_expire_days: 'Days until billet_date, the last day to pay a billet.',
    days_to_cancel_unpaid_billets:
      'Days after which an unpaid billet is cancelled, and its order with it.',
    hours_to_cancel_unpaid_pix:
      'Hours after which an unpaid Pix is cancelled, and its order with it.',
    billet_instructions: 'Text for the billet; null for none.',
    installments: 'The plan by number of parts; empty without one.',
    affiliation: 'The contract; null for none.',
    payment: 'The way to pay that these settings are for.',
    created_at: 'When the configuration was made, ISO 8601 in UTC.',
    updated_at: 'When a stored value last changed, ISO 8601 in UTC.',
  },
);

const isUsed = computedNumber(
  sql`exists (select 1 from ${paymentConfigurations} where ${paymentConfigurations.affiliation_id} = ${affiliations.id})`,
);

export const paymentConfigurationRelations = {
  installments: toMany(
    paymentInstallments,
    eq(paymentInstallments.payment_id, paymentConfigurations.payment_id),
  ),
  affiliation: toOne(affiliations, eq(affiliations.id, paymentConfigurations.affiliation_id), {
    is_used: isUsed,
  }),
  payment: toOne(payments, eq(payments.id, paymentConfigurations.payment_id), paymentExtras),
};

type PaymentConfigurationRecord = Row<typeof paymentConfigurations> & {
  installments: { data: Row<typeof paymentInstallments>[] };
  affiliation: { data: (Row<typeof affiliations> & { is_used: number }) | null };
  payment: { data: PaymentRecord | null };
};

/** Sorts the plan by number of installments and describes the gateways of the affiliation. */
export function serializePaymentConfiguration({
  installments,
  affiliation,
  payment,
  ...row
}: PaymentConfigurationRecord) {
  // The foreign key guarantees the payment type of a configuration.
  const paymentType = payment.data as PaymentRecord;
  const usedAffiliation = affiliation.data;
  return {
    ...row,
    installments: {
      data: installments.data.toSorted((a, b) => a.installment - b.installment),
    },
    affiliation: {
      data: usedAffiliation && {
        ...usedAffiliation,
        has_payment_config: usedAffiliation.is_used === 1,
        gateway: { data: usedAffiliation.gateways.map(describeGateway) },
      },
    },
    payment: { data: serializePayment(paymentType) },
  };
}

/** The gateways of this service, by the alias that an affiliation stores. */
const gateways = new Map([
  [
    'manual',
    {
      name: 'Manual',
      icon_url: null,
      allow_backup: false,
      installments_config: { allow_custom_installments: true, message: null, help_link: null },
      auth_type: 'none',
      params: { data: [] },
    },
  ],
]);

const unknownGateway = {
  icon_url: null,
  allow_backup: false,
  installments_config: { allow_custom_installments: false, message: null, help_link: null },
  auth_type: 'none',
  params: { data: [] },
};

/**
 * The response of a gateway. `gateway_exists` is false for an alias that this service does not
 * have.
 */
function describeGateway(alias: string) {
  const known = gateways.get(alias);
  return {
    alias,
    gateway_exists: known !== undefined,
    ...(known ?? { ...unknownGateway, name: alias }),
  };
}
