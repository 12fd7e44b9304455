import { eq, sql } from 'drizzle-orm';
import * as z from 'zod';
import { boolOutput, moneyOutput } from '../../codecs/fields/scalars.ts';
import { dateTime, isoDateTime } from '../../codecs/time/date-time.ts';
import type { Row } from '../../db/core/table.ts';
import { computedNumber, toMany, toOne } from '../../db/query/relations.ts';
import {
  affiliations,
  paymentConfigurations,
  paymentInstallments,
  payments,
} from '../../db/schema/store/payments.ts';
import { PaymentSchema, paymentExtras, serializePayment, type PaymentRecord } from './payment.ts';

const InstallmentSchema = z
  .object({
    id: z.int(),
    payment_id: z.int(),
    installment: z.int(),
    tax: z.number(),
    percent_discount: z.number(),
    start_at: dateTime.nullable(),
    end_at: dateTime.nullable(),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'Installment' });

const GatewaySchema = z
  .object({
    alias: z.string(),
    name: z.string(),
    icon_url: z.string().nullable(),
    allow_backup: z.boolean(),
    installments_config: z.object({
      allow_custom_installments: z.boolean(),
      message: z.string().nullable(),
      help_link: z.string().nullable(),
    }),
    auth_type: z.string(),
    gateway_exists: z.boolean(),
    params: z.object({ data: z.array(z.array(z.string())) }),
  })
  .meta({ id: 'Gateway' });

const AffiliationSchema = z
  .object({
    id: z.int(),
    active: boolOutput,
    backup: boolOutput,
    name: z.string(),
    statement_descriptor: z.string().nullable(),
    auto_capture: boolOutput,
    has_payment_config: z.boolean(),
    capture_hour_delay: z.int(),
    force_minimum_tax: boolOutput,
    status: z.enum(['active', 'pending', 'refused']),
    auth_type: z.enum(['none', 'key', 'oauth']),
    gateway: z.object({ data: z.array(GatewaySchema) }),
  })
  .meta({ id: 'Affiliation' });

/** How a store accepts one payment type. Unlike elsewhere, its own timestamps are ISO 8601 in UTC. */
export const PaymentConfigurationSchema = z
  .object({
    id: z.int(),
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

/** The response of a gateway. `gateway_exists` is false for an alias that this service does not have. */
function describeGateway(alias: string) {
  const known = gateways.get(alias);
  return {
    alias,
    gateway_exists: known !== undefined,
    ...(known ?? { ...unknownGateway, name: alias }),
  };
}
