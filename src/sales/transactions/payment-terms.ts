import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import type { StatementResult } from '../../data/core/statement.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { toOne } from '../../data/queries/relations.ts';
import {
  affiliations,
  paymentConfigurations,
  paymentInstallments,
  payments,
} from '../../data/schema/store/payments-tables.ts';
import { paymentExtras } from '../payments/schema.ts';

/**
 * Statements that read a payment type with its configuration, the installments of its plan that are
 * in force now, and the affiliation. Without `affiliationId` it is the affiliation of the
 * configuration.
 */
export const paymentTermsQueries = (db: StoreDb, paymentId: number, affiliationId: number | null) =>
  [
    db.selectOne(payments, paymentId, {
      ...paymentExtras,
      config: toOne(paymentConfigurations, eq(paymentConfigurations.payment_id, payments.id)),
    }),
    db.select(paymentInstallments, {
      where: and(
        eq(paymentInstallments.payment_id, paymentId),
        or(isNull(paymentInstallments.start_at), sql`${paymentInstallments.start_at} <= ${db.now}`),
        or(isNull(paymentInstallments.end_at), sql`${paymentInstallments.end_at} > ${db.now}`),
      ),
    }),
    db.select(affiliations, {
      where: inArray(
        affiliations.id,
        affiliationId === null
          ? sql`(select ${paymentConfigurations.affiliation_id} from ${paymentConfigurations}
              where ${paymentConfigurations.payment_id} = ${paymentId})`
          : sql`(${affiliationId})`,
      ),
    }),
  ] as const;

type TermsQueries = ReturnType<typeof paymentTermsQueries>;

/** A payment type with everything that decides how it can pay an order. */
export interface PaymentTerms {
  payment: StatementResult<TermsQueries[0]>[number] | undefined;
  plan: StatementResult<TermsQueries[1]>;
  affiliation: StatementResult<TermsQueries[2]>[number] | undefined;
}
