import { sql } from 'drizzle-orm';
import type { ActionContext } from '../../data/audit/action.ts';
import { auditStatement } from '../../data/audit/audit-lines.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import { stores } from '../../data/schema/directory/directory-tables.ts';
import { copyStoreFacts } from '../../data/shards/copy-facts.ts';
import { assertUsable, requireStore } from './find-store.ts';

interface NewEventBudget {
  storeId: number;
  /** Bytes of a day; null for the budget of the service. */
  budget: number | null;
  reason: string;
}

/** Gives a store an event budget of its own, or takes it away. Its shard counts with it at once. One batch. */
export async function setEventBudget(
  action: ActionContext,
  { storeId, budget, reason }: NewEventBudget,
): Promise<void> {
  const { directory, actor, from, now } = action;
  const { event_budget: before } = await requireStore(action, storeId);
  if (before === budget) return;
  const isBefore = sql`id = ${storeId} and event_budget is ${before} and erased_at is null`;
  const line = {
    at: now,
    actor,
    from,
    action: 'store.event_budget_changed',
    target: { kind: 'store', id: storeId },
    storeId,
    reason,
    changes: { event_budget: [before, budget] },
  } as const;
  const [, [changed]] = await directory.batch([
    auditStatement(directory, line, sql`exists (select 1 from ${stores} where ${isBefore})`),
    rawDatabaseStatement<{ id: number }>(
      directory,
      sql`update ${stores} set event_budget = ${budget}, updated_at = ${now} where ${isBefore} returning id`,
    ),
  ]);
  if (!changed) assertUsable(await requireStore(action, storeId));
  action.defer(copyStoreFacts(action.env, storeId));
}
