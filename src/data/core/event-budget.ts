import { sql, type SQL } from 'drizzle-orm';
import { budgetDay, budgetTurn, budgetTurnMs } from '../../base/durations.ts';
import { eventBudgets } from '../schema/store/internal-tables.ts';
import { abortWith } from './data-errors.ts';
import { rawStatement } from './raw.ts';
import type { StoreScope } from './store.ts';

/** Of a budget, the part that each turn beyond it has. */
const turnsPerBudget = 600;

/** The limit of one turn, as the headers of a 429 tell it. */
export const turnPolicy = (budget: number) => ({
  name: 'event-bytes',
  quota: Math.ceil(budget / turnsPerBudget),
  seconds: budgetTurnMs / 1000,
  unit: 'content-bytes',
});

/** Scalar, within a query of the row: the budget that operators gave the store, else that of the service. */
const ownBudget = (budget: number) => sql`coalesce(budget, ${budget})`;

/** Scalars, within a query of the row: the bytes of today (null before the first), and the budget of the store. */
export const standingColumns = ({ now }: StoreScope, budget: number) => ({
  today: sql`iif(day >= ${budgetDay(now)}, bytes, null)`,
  quota: ownBudget(budget),
});

/** Query of one row: the budget of the store (`quota`), and the bytes that it has recorded `today`; null before the first. */
export function selectStanding(db: StoreScope, budget: number): SQL {
  const { today, quota } = standingColumns(db, budget);
  return sql`select ${today} as today, ${quota} as quota
    from (select 1) left join ${eventBudgets} on store_id = ${db.store.id}`;
}

/** Scalar: the bytes that the store has recorded beyond its budget in this turn. */
const recordedInTurn = ({ now }: StoreScope) => sql`iif(turn = ${budgetTurn(now)}, turn_bytes, 0)`;

/** Condition: this many bytes more are within the budget of the store, or its turn has room for them. Reads one row. */
export const mayRecord = (db: StoreScope, budget: number, bytes: number) =>
  sql`coalesce((select iif(day >= ${budgetDay(db.now)}, bytes, 0) + ${bytes} <= ${ownBudget(budget)}
      or ${recordedInTurn(db)} < ${turnQuota(budget)}
    from ${eventBudgets} where store_id = ${db.store.id}), true)`;

/** Scalar, within a query of the row: the bytes that each turn beyond the budget has. */
const turnQuota = (budget: number) =>
  sql`(${ownBudget(budget)} / ${sql.raw(`${turnsPerBudget}.0`)})`;

/** How much a store may record on a day, and whether more has to wait for its turn. */
interface EventBudget {
  bytes: number;
  takesTurns: boolean;
}

/**
 * Adds bytes to those that the store has recorded today, unless they are null or 0. Writes one row, and a notice at 50 and 80 % of
 * the budget. Beyond it, it makes the store due for archiving at once. It then aborts the batch of a caller who has to wait for the next turn. A turn ends with the event
 * that fills it, so each turn has room for one of any size.
 */
export function countBytesStatement(db: StoreScope, bytes: SQL, budget?: EventBudget) {
  const sum = sql`iif(day >= excluded.day, bytes, 0) + excluded.bytes`;
  return rawStatement(
    db,
    sql`insert into ${eventBudgets} (store_id, day, bytes)
      select ${db.store.id}, ${budgetDay(db.now)}, counted.bytes
      from (select ${bytes} as bytes) counted where counted.bytes > 0
      on conflict do update set day = max(day, excluded.day), bytes = ${sum}${budget ? beyond(db, budget, sum) : sql``}`,
  );
}

/** The parts of a budget in percent at which members get a notice, once a day each; the larger one first. */
const noticedPercents = [80, 50] as const;

/** The other columns that bytes change as they come near a budget, and beyond it. */
function beyond(db: StoreScope, { bytes, takesTurns }: EventBudget, sum: SQL): SQL {
  const quota = ownBudget(bytes);
  const isBeyond = sql`${sum} > ${quota}`;
  const [high, low] = noticedPercents.map(
    (percent) => sql`(${sum}) * 100 >= ${quota} * ${percent}`,
  );
  const noticed = sql`iif(${low}, max(noticed, excluded.day * 100 + iif(${high}, ${noticedPercents[0]}, ${noticedPercents[1]})), noticed)`;
  const due = sql`, noticed = ${noticed}, archive_at = iif(${isBeyond}, min(coalesce(archive_at, ${db.now}), ${db.now}), archive_at)`;
  if (!takesTurns) return due;
  const used = recordedInTurn(db);
  return sql`${due}, turn = iif(${isBeyond}, ${budgetTurn(db.now)}, turn),
    turn_bytes = iif(${isBeyond}, iif(${used} < ${turnQuota(bytes)},
      ${used} + excluded.bytes, ${sql.raw(abortWith('event_budget'))}), turn_bytes)`;
}

/** Notes that a write was refused today. Returns a row for the first one of the day. */
export const noteRefusalStatement = (db: StoreScope) =>
  rawStatement<{ store_id: number }>(
    db,
    sql`insert into ${eventBudgets} (store_id, day, bytes, refused_day)
      values (${db.store.id}, ${budgetDay(db.now)}, 0, ${budgetDay(db.now)})
      on conflict do update set refused_day = excluded.refused_day
        where refused_day is null or refused_day < excluded.refused_day
      returning store_id`,
  );
