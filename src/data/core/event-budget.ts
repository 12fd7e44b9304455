import { sql, type SQL } from 'drizzle-orm';
import { budgetDay } from '../../base/durations.ts';
import { eventBudgets } from '../schema/store/internal-tables.ts';
import { abortWith } from './data-errors.ts';
import { rawStatement } from './raw.ts';
import type { StoreScope } from './store.ts';

/** Scalar: the bytes that the store has recorded today. */
const recordedToday = ({ store, now }: StoreScope) =>
  sql`coalesce((select iif(day >= ${budgetDay(now)}, bytes, 0) from ${eventBudgets} where store_id = ${store.id}), 0)`;

/** Condition: the store has recorded bytes today. */
export const hasRecordedToday = ({ store, now }: StoreScope) =>
  sql`exists (select 1 from ${eventBudgets} where store_id = ${store.id} and day >= ${budgetDay(now)})`;

/** Condition: this many bytes more are within the budget of the store for today. */
export const isWithinBudget = (db: StoreScope, budget: number, bytes: number | SQL) =>
  sql`${recordedToday(db)} + ${bytes} <= ${budget}`;

/** How much a store may record on a day, and whether more aborts the batch with a 429. */
interface EventBudget {
  bytes: number;
  refuses: boolean;
}

/**
 * Adds bytes to those that the store has recorded today, unless they are null or 0. Writes one row. Beyond the budget it aborts the
 * batch, or makes the store due for archiving at once.
 */
export function countBytesStatement(db: StoreScope, bytes: SQL, budget?: EventBudget) {
  const limited = (sum: SQL) =>
    budget?.refuses
      ? sql`iif(${sum} > ${budget.bytes}, ${sql.raw(abortWith('event_budget'))}, ${sum})`
      : sum;
  const sum = sql`iif(day >= excluded.day, bytes, 0) + excluded.bytes`;
  const due =
    budget && !budget.refuses
      ? sql`, archive_at = iif(${sum} > ${budget.bytes}, min(coalesce(archive_at, ${db.now}), ${db.now}), archive_at)`
      : sql``;
  return rawStatement(
    db,
    sql`insert into ${eventBudgets} (store_id, day, bytes)
      select ${db.store.id}, ${budgetDay(db.now)}, ${limited(sql`counted.bytes`)}
      from (select ${bytes} as bytes) counted where counted.bytes > 0
      on conflict do update set day = max(day, excluded.day),
        bytes = ${limited(sum)}${due}`,
  );
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
