import { sql, type SQL } from 'drizzle-orm';
import { budgetTurnMs } from '../../base/durations.ts';
import { eventBudgets } from '../schema/store/internal-tables.ts';
import { abortWith } from './data-errors.ts';
import type { EventScope } from './event-id.ts';

/**
 * How events go on beyond the budget of their store: those of a sale are `free`. Those of a
 * `single` change wait only where the archive could not keep up with them. Those of `bulk` changes,
 * which write many records, have a part of the budget a turn.
 */
export type EventPace = 'free' | 'single' | 'bulk';

/** Of a budget, the part that bulk changes have in each turn beyond it. */
const turnsPerBudget = 600;

/**
 * The bytes that single changes have in each turn, half of them beside bulk changes. The archive
 * takes out 33 MB in that time.
 */
const singleTurnBytes = 20_000_000;

/** The limit of one turn, as the headers of a 429 tell it. */
export const turnPolicy = (budget: number, pace: EventPace) => {
  const quota = Math.ceil(budget / turnsPerBudget);
  return {
    name: 'event-bytes',
    quota: pace === 'single' ? Math.max(singleTurnBytes, 2 * quota) : quota,
    seconds: budgetTurnMs / 1000,
    unit: 'content-bytes',
  };
};

/**
 * Scalar, within a query of the row: the budget that operators gave the store, else that of the
 * service.
 */
const ownBudget = (budget: number | SQL) => sql`coalesce(budget, ${budget})`;

/**
 * Scalars, within a query of the row: the bytes of today (null before the first), and the budget of
 * the store.
 */
export const usageColumns = ({ day }: EventScope, budget: number | SQL) => ({
  today: sql`iif(day >= ${day}, bytes, null)`,
  quota: ownBudget(budget),
});

/**
 * Query of one row: the budget of the store (`quota`), and the bytes that it has recorded `today`;
 * null before the first.
 */
export function selectUsage(scope: EventScope, budget: number): SQL {
  const { today, quota } = usageColumns(scope, budget);
  return sql`select ${today} as today, ${quota} as quota
    from (select 1) left join ${eventBudgets} on store_id = ${scope.storeId}`;
}

/** Scalar: the bytes that the store has recorded beyond its budget in this turn. */
const recordedInTurn = ({ turn }: EventScope) => sql`iif(turn = ${turn}, turn_bytes, 0)`;

/**
 * Condition: this many bytes more are within the budget of the store, or its turn has room for
 * them. Reads one row.
 */
export const mayRecord = (scope: EventScope, budget: EventBudget, bytes: number | SQL) =>
  sql`coalesce((select iif(day >= ${scope.day}, bytes, 0) + ${bytes} <= ${ownBudget(budget.bytes)}
      or ${recordedInTurn(scope)} < ${fullTurn(budget)}
    from ${eventBudgets} where store_id = ${scope.storeId}), true)`;

/**
 * Scalar, within a query of the row: the bytes that bulk changes have in each turn beyond the
 * budget.
 */
const turnQuota = (budget: number | SQL) =>
  sql`(${ownBudget(budget)} / ${sql.raw(`${turnsPerBudget}.0`)})`;

/**
 * Scalar, within a query of the row: the bytes that a turn beyond the budget may hold of single
 * changes.
 */
const turnRoom = (budget: number | SQL) => sql`max(${singleTurnBytes}, 2 * ${turnQuota(budget)})`;

/**
 * Scalar, within a query of the row: with so many bytes a turn is full. Bulk changes fill the half
 * of it at most.
 */
const fullTurn = ({ bytes, pace }: EventBudget) =>
  pace === 'bulk' ? sql`${turnRoom(bytes)} / 2` : turnRoom(bytes);

/**
 * Scalar, within an upsert of the row: the bytes of the turn with the new ones. Those of a bulk
 * change count as many times more as its quota is smaller. So single changes take little of the
 * quota of an import.
 */
const withNew = (budget: EventBudget, used: SQL) =>
  budget.pace === 'bulk'
    ? sql`cast(min(${fullTurn(budget)}, ${used} + excluded.bytes * ${fullTurn(budget)} / ${turnQuota(budget.bytes)}) as integer)`
    : sql`${used} + excluded.bytes`;

/** How much a store may record on a day, and how more goes on. */
export interface EventBudget<Bytes = number | SQL> {
  bytes: Bytes;
  pace: EventPace;
}

/**
 * SQL that adds bytes to those that the store has recorded today, unless they are null or 0. Writes
 * one row, and a notice at 50 and 80 % of the budget and beyond it. There it makes the store due
 * for archiving at once. It then aborts the batch of a caller who has to wait for the next turn. A
 * turn ends with the event that fills it, so each turn has room for one of any size.
 */
export function countBytes(scope: EventScope, bytes: SQL, budget?: EventBudget): SQL {
  const sum = sql`iif(day >= excluded.day, bytes, 0) + excluded.bytes`;
  return sql`insert into ${eventBudgets} (store_id, day, bytes)
    select ${scope.storeId}, ${scope.day}, counted.bytes
    from (select ${bytes} as bytes) counted where counted.bytes > 0
    on conflict do update set day = max(day, excluded.day), bytes = ${sum}${budget ? beyond(scope, budget, sum) : sql``}`;
}

/**
 * The parts of a budget in percent at which members get a notice, once a day each; the larger one
 * first.
 */
const noticedPercents = [80, 50] as const;

/**
 * Stands for the notice to operators that a store is beyond its budget, once a day: a percentage
 * has two digits.
 */
export const beyondPercent = 99;

/** The other columns that bytes change as they come near a budget, and beyond it. */
function beyond(scope: EventScope, budget: EventBudget, sum: SQL): SQL {
  const quota = ownBudget(budget.bytes);
  const isBeyond = sql`${sum} > ${quota}`;
  const [high, low] = noticedPercents.map(
    (percent) => sql`(${sum}) * 100 >= ${quota} * ${percent}`,
  );
  // Members are told first, also by an event that leads beyond the budget at once.
  const isTold = sql`noticed >= excluded.day * 100 + ${noticedPercents[0]}`;
  const percent = sql`case when ${isBeyond} and ${isTold} then ${beyondPercent}
    when ${high} then ${noticedPercents[0]} else ${noticedPercents[1]} end`;
  const noticed = sql`iif(${low}, max(noticed, excluded.day * 100 + ${percent}), noticed)`;
  const due = sql`, noticed = ${noticed}, archive_at = iif(${isBeyond}, min(coalesce(archive_at, ${scope.now}), ${scope.now}), archive_at)`;
  if (budget.pace === 'free') return due;
  const used = recordedInTurn(scope);
  return sql`${due}, turn = iif(${isBeyond}, ${scope.turn}, turn),
    turn_bytes = iif(${isBeyond}, iif(${used} < ${fullTurn(budget)},
      ${withNew(budget, used)}, ${sql.raw(abortWith('event_budget'))}), turn_bytes)`;
}

/** SQL that notes that a write was refused today. Returns a row for the first one of the day. */
export const noteRefusal = ({ storeId, day }: EventScope) =>
  sql`insert into ${eventBudgets} (store_id, day, bytes, refused_day)
    values (${storeId}, ${day}, 0, ${day})
    on conflict do update set refused_day = excluded.refused_day
      where refused_day is null or refused_day < excluded.refused_day
    returning store_id`;
