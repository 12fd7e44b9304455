import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import { one } from '../db/relations.ts';
import {
  affiliations,
  paymentConfigurations,
  paymentInstallments,
  payments,
} from '../db/schema/store.ts';
import type { Result } from '../db/statement.ts';
import type { StoreDb } from '../db/store.ts';
import { paymentExtras } from '../resources/shapes/payment-reading.ts';

/**
 * Reads one payment type of the store with its configuration, the installments of its plan that are in force now, and
 * the affiliation: the one that is named, else the configuration's.
 */
export const readingTerms = (db: StoreDb, paymentId: number, affiliationId: number | null) =>
  [
    db.selectOne(payments, paymentId, {
      ...paymentExtras,
      config: one(paymentConfigurations, eq(paymentConfigurations.payment_id, payments.id)),
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

type Reading = ReturnType<typeof readingTerms>;

/** A payment type with all that decides how an order can be paid with it. */
export interface Terms {
  payment: Result<Reading[0]>[number] | undefined;
  plan: Result<Reading[1]>;
  affiliation: Result<Reading[2]>[number] | undefined;
}
