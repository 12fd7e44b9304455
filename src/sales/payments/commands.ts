import { and, eq, inArray, ne, not, sql } from 'drizzle-orm';
import { storeAuditStatement } from '../../data/audit/audit-lines.ts';
import { changedFields } from '../../data/audit/changes.ts';
import { retryOnConflict } from '../../data/core/retry-contention.ts';
import { lastResult } from '../../data/core/statement.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { insertChildrenStatement } from '../../data/queries/child-rows.ts';
import { idsSubquery } from '../../data/queries/links.ts';
import { findMissing, throwIfInvalid, unknownIdError } from '../../data/queries/references.ts';
import { touchStatement } from '../../data/queries/revision.ts';
import type { AuditChanges } from '../../data/schema/columns.ts';
import {
  affiliations,
  paymentConfigurations,
  paymentInstallments,
  payments,
} from '../../data/schema/store/payments-tables.ts';
import {
  serializePaymentConfiguration,
  paymentConfigurationRelations,
} from './configuration-schema.ts';
import type { PaymentConfigurationChanges } from './requests.ts';

type Plan = NonNullable<PaymentConfigurationChanges['installments']>;

const installmentsOf = {
  table: paymentInstallments,
  parent: payments,
  parentColumn: 'payment_id',
} as const;

/**
 * Updates the configuration of a payment type. An installment that stays in the plan keeps its id.
 * Throws `ValidationError` for an affiliation that the store does not have. Two round trips.
 */
export const configurePayment = (
  db: StoreDb,
  { paymentId, id }: { paymentId: number; id: number },
  { installments, ...changes }: PaymentConfigurationChanges,
) =>
  retryOnConflict(async () => {
    const isOfPayment = eq(paymentConfigurations.payment_id, paymentId);
    const [found, missingAffiliations] = await db.batch([
      db.selectOne(
        paymentConfigurations,
        id,
        {
          payment: sql<string>`(select alias from ${payments} where id = ${paymentId})`,
          isNewPlan: installments ? planDiffers(paymentId, installments) : sql<0 | 1>`0`,
        },
        isOfPayment,
      ),
      findMissing(db, affiliations, [changes.affiliation_id]),
    ]);
    if (!found[0]) return undefined;
    throwIfInvalid(unknownIdError('affiliation_id', 'affiliation', missingAffiliations));
    const results = await db.batch([
      ...recordChange(db, found[0], changes),
      ...(changes.default_display ? [unsetOtherDefaultsStatement(db, id)] : []),
      db.updateStatement(paymentConfigurations, eq(paymentConfigurations.id, id), changes),
      ...(installments ? replacePlanStatements(db, { paymentId, id }, installments) : []),
      db.selectOne(paymentConfigurations, id, paymentConfigurationRelations),
    ]);
    return lastResult(results).map(serializePaymentConfiguration)[0];
  });

/**
 * The statement that records the changes of the configuration that this request read; none without
 * a change.
 */
function recordChange(
  db: StoreDb,
  before: Readonly<Record<string, unknown>> & { payment: string; isNewPlan: 0 | 1 },
  after: Readonly<Record<string, unknown>>,
) {
  const plan: AuditChanges = before.isNewPlan ? { installments: [null, 'changed'] } : {};
  const changes = { ...changedFields(before, after), ...plan };
  const target = { kind: 'payment_configuration' as const, id: before.payment };
  return Object.keys(changes).length === 0
    ? []
    : [storeAuditStatement(db, { action: 'payments.configured', target, changes })];
}

/** Only one configuration of a store has `default_display`. */
const unsetOtherDefaultsStatement = (db: StoreDb, id: number) =>
  db.updateStatement(paymentConfigurations, ne(paymentConfigurations.id, id), {
    default_display: false,
  });

/** Replaces the plan. Other installments than before also move `updated_at`. */
function replacePlanStatements(
  db: StoreDb,
  { paymentId, id }: { paymentId: number; id: number },
  plan: Plan,
) {
  const isOfPlan = eq(paymentInstallments.payment_id, paymentId);
  const keptNumbers = idsSubquery(plan.map(({ installment }) => installment));
  const [first, ...others] = plan;
  return [
    touchStatement(
      db,
      paymentConfigurations,
      and(eq(paymentConfigurations.id, id), planDiffers(paymentId, plan)),
    ),
    db.deleteStatement(
      paymentInstallments,
      and(isOfPlan, not(inArray(paymentInstallments.installment, keptNumbers))),
    ),
    ...(first
      ? [insertChildrenStatement(db, installmentsOf, paymentId, [first, ...others], 'installment')]
      : []),
  ];
}

/** SQL condition: the plan has other installments than these. */
function planDiffers(paymentId: number, plan: Plan) {
  const { payment_id, installment, tax, percent_discount, start_at, end_at } = paymentInstallments;
  const fromPlan = sql`from ${paymentInstallments} where ${payment_id} = ${paymentId}`;
  return sql<0 | 1>`((select count(*) ${fromPlan}) <> ${plan.length} or exists (
    select 1 from json_each(${JSON.stringify(plan)}) where not exists (select 1 ${fromPlan}
      and ${installment} = value ->> '$.installment' and ${tax} = value ->> '$.tax'
      and ${percent_discount} = value ->> '$.percent_discount'
      and ${start_at} is (value ->> '$.start_at') and ${end_at} is (value ->> '$.end_at'))))`;
}
