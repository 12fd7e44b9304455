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

/** Scalar: the bytes that the store has recorded today. */
const recordedToday = ({ store, now }: StoreScope) =>
  sql`coalesce((select iif(day >= ${budgetDay(now)}, bytes, 0) from ${eventBudgets} where store_id = ${store.id}), 0)`;

/** Condition: the store has recorded bytes today. */
export const hasRecordedToday = ({ store, now }: StoreScope) =>
  sql`exists (select 1 from ${eventBudgets} where store_id = ${store.id} and day >= ${budgetDay(now)})`;

/** Condition: this many bytes more are within the budget of the store for today. */
export const isWithinBudget = (db: StoreScope, budget: number, bytes: number | SQL) =>
  sql`${recordedToday(db)} + ${bytes} <= ${budget}`;

/** Scalar: the bytes that the store has recorded beyond its budget in this turn. */
const recordedInTurn = ({ now }: StoreScope) => sql`iif(turn = ${budgetTurn(now)}, turn_bytes, 0)`;

/** Condition: this many bytes more are within the budget of the store, or its turn has room for them. */
export const mayRecord = (db: StoreScope, budget: number, bytes: number) =>
  sql`(${isWithinBudget(db, budget, bytes)} or coalesce((select ${recordedInTurn(db)} < ${budget / turnsPerBudget}
    from ${eventBudgets} where store_id = ${db.store.id}), true))`;

/** How much a store may record on a day, and whether more has to wait for its turn. */
interface EventBudget {
  bytes: number;
  takesTurns: boolean;
}

/**
 * Adds bytes to those that the store has recorded today, unless they are null or 0. Writes one row. Beyond the budget it makes the
 * store due for archiving at once. It then aborts the batch of a caller who has to wait for the next turn. A turn ends with the event
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

/** The other columns that bytes beyond a budget change. */
function beyond(db: StoreScope, { bytes, takesTurns }: EventBudget, sum: SQL): SQL {
  const isBeyond = sql`${sum} > ${bytes}`;
  const due = sql`, archive_at = iif(${isBeyond}, min(coalesce(archive_at, ${db.now}), ${db.now}), archive_at)`;
  if (!takesTurns) return due;
  const used = recordedInTurn(db);
  return sql`${due}, turn = iif(${isBeyond}, ${budgetTurn(db.now)}, turn),
    turn_bytes = iif(${isBeyond}, iif(${used} < ${bytes / turnsPerBudget},
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
