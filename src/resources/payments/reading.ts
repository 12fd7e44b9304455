import { eq, sql } from 'drizzle-orm';
import { computedNumber, many, one } from '../../db/relations.ts';
import {
  affiliations,
  paymentConfigurations,
  paymentInstallments,
  payments,
} from '../../db/schema/store.ts';
import type { Row } from '../../db/table.ts';
import { paymentExtras, presentPayment, type ReadPayment } from '../shapes/payment-reading.ts';
import { gatewayOf } from './gateways.ts';

const isUsed = computedNumber(
  sql`exists (select 1 from ${paymentConfigurations} where ${paymentConfigurations.affiliation_id} = ${affiliations.id})`,
);

/** The relations of a payment configuration, read in the same statement. */
export const relations = {
  installments: many(
    paymentInstallments,
    eq(paymentInstallments.payment_id, paymentConfigurations.payment_id),
  ),
  affiliation: one(affiliations, eq(affiliations.id, paymentConfigurations.affiliation_id), {
    is_used: isUsed,
  }),
  payment: one(payments, eq(payments.id, paymentConfigurations.payment_id), paymentExtras),
};

type Read = Row<typeof paymentConfigurations> & {
  installments: { data: Row<typeof paymentInstallments>[] };
  affiliation: { data: (Row<typeof affiliations> & { is_used: number }) | null };
  payment: { data: ReadPayment | null };
};

/** A configuration as it is shown: the plan by number of installments, the gateways of the affiliation. */
export function present({ installments, affiliation, payment, ...row }: Read) {
  // The foreign key promises the payment type of a configuration.
  const type = payment.data as ReadPayment;
  const contract = affiliation.data;
  return {
    ...row,
    installments: {
      data: installments.data.toSorted((one, other) => one.installment - other.installment),
    },
    affiliation: {
      data: contract && {
        ...contract,
        has_payment_config: contract.is_used === 1,
        gateway: { data: contract.gateways.map(gatewayOf) },
      },
    },
    payment: { data: presentPayment(type) },
  };
}
