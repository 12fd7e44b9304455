import { sql } from 'drizzle-orm';
import { isEventBudgetError } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import {
  countBytesStatement,
  hasRecordedToday,
  isWithinBudget,
  noteRefusalStatement,
} from '../../data/core/event-budget.ts';
import { afterEventIds, eventPrefix, randomLength } from '../../data/core/event-id.ts';
import { markPreparatory, type Statement } from '../../data/core/statement.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { webhookEvents } from '../../data/schema/store/webhooks-tables.ts';

/** Of this many small events, one is counted for all. */
const maxWeight = 64;

/** Events of a weight that a budget holds at least. So the count is wrong by some 3 % at the end of a budget. */
const minCounted = 1_024;

/**
 * The statement to run after the inserts of events, given the random ends of their ids. It counts the bytes of those
 * that were recorded, and aborts the batch with a 429 beyond the budget of the handle, unless it may exceed it. Internal
 * writers have no budget: their events are counted and never refused.
 *
 * To count every event would write a row more each time. So small ones are counted at random, with their weight; the first
 * of a day always is, and so are those that the budget may refuse. At most one row written, none if no event was recorded.
 */
export function budgetStatements(db: StoreDb, randomEnds: readonly string[]): Statement[] {
  if (randomEnds.length === 0) return [];
  const { store, eventBudget, mayExceedBudget } = db;
  // The newest events of the store are those of this batch, because ids sort by commit.
  const newest = sql`(select id, octet_length(body) as bytes from ${webhookEvents}
    where id > ${eventPrefix(store.id)} and id < ${afterEventIds(store.id)}
    order by id desc limit ${randomEnds.length})`;
  const bytes = sql`(select sum(bytes) from ${newest}
    where instr(${randomEnds.join()}, substr(id, ${-randomLength})) > 0)`;
  if (eventBudget === undefined || eventBudget === Infinity) {
    return [countBytesStatement(db, bytes)];
  }
  const dice = Number.parseInt(randomEnds[0]?.slice(0, 4) ?? '0', 16);
  const mustCount = mayExceedBudget
    ? sql`false`
    : sql`not ${isWithinBudget(db, eventBudget, sql`weight * bytes`)}`;
  const weighted = sql`(select case
      when ${dice} % weight = 0 or ${mustCount} then weight * bytes
      when not ${hasRecordedToday(db)} then bytes end
    from (select bytes, max(1, min(${maxWeight}, cast(${eventBudget} / (${minCounted} * bytes) as integer))) as weight
      from (select ${bytes} as bytes) where bytes > 0))`;
  return [countBytesStatement(db, weighted, { bytes: eventBudget, refuses: !mayExceedBudget })];
}

/**
 * Throws the error of a publish. If the budget was the cause, it first notifies the owner and the operator, once a day
 * and store.
 */
export async function reportRefusal(db: StoreDb, error: unknown): Promise<never> {
  if (isEventBudgetError(error)) {
    const [first] = await db.batch([markPreparatory(noteRefusalStatement(db))]);
    if (first.length > 0) {
      log('error', 'event_budget_exhausted', { alert: true, store: db.store.id });
    }
  }
  throw error;
}
