import { sql } from 'drizzle-orm';
import { countBytesStatement, noteRefusalStatement } from '../db/core/event-budget.ts';
import { markPreparatory, type Statement } from '../db/core/statement.ts';
import type { StoreDb } from '../db/core/store-db.ts';
import { webhookEvents } from '../db/schema/store/webhooks.ts';
import { isEventBudgetError } from '../errors.ts';
import { log } from '../log.ts';
import { afterEventIds, eventPrefix, randomLength } from './event-id.ts';

/**
 * The statement to run after the inserts of events, given the random ends of their ids. It counts the bytes of those that
 * were recorded, and aborts the batch with a 429 beyond the budget of the handle. Internal writers have no budget: what they do
 * is counted and never refused. One row written, none if no event was recorded.
 */
export function budgetStatements(db: StoreDb, randomEnds: readonly string[]): Statement[] {
  if (randomEnds.length === 0) return [];
  const { store, eventBudget } = db;
  // The newest events of the store are those of this batch, because ids sort by commit.
  const newest = sql`(select id, octet_length(body) as bytes from ${webhookEvents}
    where id > ${eventPrefix(store.id)} and id < ${afterEventIds(store.id)}
    order by id desc limit ${randomEnds.length})`;
  const bytes = sql`(select sum(bytes) from ${newest}
    where instr(${randomEnds.join()}, substr(id, ${-randomLength})) > 0)`;
  return [countBytesStatement(db, bytes, eventBudget)];
}

/**
 * Throws the error of a publish. If the budget was the cause, it first tells the owner and the operator, once a day and
 * store.
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
