import { and, eq, inArray, ne, not, sql } from 'drizzle-orm';
import { insertionBelow } from '../../db/children.ts';
import { idList } from '../../db/links.ts';
import { missing, refuseIf, unknownId } from '../../db/references.ts';
import {
  affiliations,
  paymentConfigurations,
  paymentInstallments,
  payments,
} from '../../db/schema/store.ts';
import { lastOf } from '../../db/statement.ts';
import type { StoreDb } from '../../db/store.ts';
import { touch } from '../../db/touch.ts';
import { present, relations } from './reading.ts';
import type { ConfigurationChanges } from './request.ts';

type Plan = NonNullable<ConfigurationChanges['installments']>;

const planOf = { table: paymentInstallments, parent: payments, by: 'payment_id' } as const;

/**
 * Changes the configuration of a payment type; an installment that stays in the plan keeps its id. Throws
 * `InvalidBody` for an affiliation that the store does not have. Two round trips.
 */
export async function configurePayment(
  db: StoreDb,
  { paymentId, id }: { paymentId: number; id: number },
  { installments, ...changes }: ConfigurationChanges,
) {
  const isOwn = eq(paymentConfigurations.payment_id, paymentId);
  const [found, missed] = await db.batch([
    db.selectOne(paymentConfigurations, id, {}, isOwn),
    missing(db, affiliations, [changes.affiliation_id]),
  ]);
  if (!found[0]) return undefined;
  refuseIf(unknownId('affiliation_id', 'affiliation', missed));
  const results = await db.batch([
    ...(changes.default_display ? [noOtherFirst(db, id)] : []),
    db.change(paymentConfigurations, eq(paymentConfigurations.id, id), changes),
    ...(installments ? replanning(db, { paymentId, id }, installments) : []),
    db.selectOne(paymentConfigurations, id, relations),
  ]);
  return lastOf(results).map(present)[0];
}

/** Only one configuration of a store is shown first. */
const noOtherFirst = (db: StoreDb, id: number) =>
  db.change(paymentConfigurations, ne(paymentConfigurations.id, id), { default_display: false });

/** Makes the plan these installments and no others. */
function replanning(db: StoreDb, { paymentId, id }: { paymentId: number; id: number }, plan: Plan) {
  const isOfPlan = eq(paymentInstallments.payment_id, paymentId);
  const kept = idList(plan.map(({ installment }) => installment));
  const [first, ...others] = plan;
  return [
    touch(
      db,
      paymentConfigurations,
      and(eq(paymentConfigurations.id, id), planDiffers(paymentId, plan)),
    ),
    db.removal(
      paymentInstallments,
      and(isOfPlan, not(inArray(paymentInstallments.installment, kept))),
    ),
    ...(first ? [insertionBelow(db, planOf, paymentId, [first, ...others], 'installment')] : []),
  ];
}

/** Whether the plan holds other installments than these. */
function planDiffers(paymentId: number, plan: Plan) {
  const { payment_id, installment, tax, percent_discount, start_at, end_at } = paymentInstallments;
  const of = sql`from ${paymentInstallments} where ${payment_id} = ${paymentId}`;
  return sql`((select count(*) ${of}) <> ${plan.length} or exists (
    select 1 from json_each(${JSON.stringify(plan)}) where not exists (select 1 ${of}
      and ${installment} = value ->> '$.installment' and ${tax} = value ->> '$.tax'
      and ${percent_discount} = value ->> '$.percent_discount'
      and ${start_at} is (value ->> '$.start_at') and ${end_at} is (value ->> '$.end_at'))))`;
}
