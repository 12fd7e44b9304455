import { sql } from 'drizzle-orm';
import { spreadStoreChange } from '../accounts/forget-store.ts';
import type { ActionContext } from '../data/audit/action.ts';
import { auditStatement } from '../data/audit/audit-lines.ts';
import { rawDatabaseStatement } from '../data/core/raw.ts';
import { stores } from '../data/schema/directory/directory-tables.ts';
import { assertUsable, requireStore } from './find-store.ts';

/** The limits that a store may have of its own; null for that of the service. */
interface StoreLimits {
  /** Bytes of events of a day. */
  event_budget: number | null;
  requests_per_minute: number | null;
}

/**
 * Gives a store limits of its own, or takes them away. Its shard and this isolate have them at
 * once, others within 30 seconds. One batch.
 */
export async function setStoreLimits(
  action: ActionContext,
  { storeId, limits, reason }: { storeId: number; limits: StoreLimits; reason: string },
): Promise<void> {
  const { directory, actor, from, now } = action;
  const before = await requireStore(action, storeId);
  const names = (['event_budget', 'requests_per_minute'] as const).filter(
    (name) => before[name] !== limits[name],
  );
  if (names.length === 0) return;
  const isBefore = sql`id = ${storeId} and event_budget is ${before.event_budget}
    and requests_per_minute is ${before.requests_per_minute} and erased_at is null`;
  const line = {
    at: now,
    actor,
    from,
    action: 'store.limits_changed',
    target: { kind: 'store', id: storeId },
    storeId,
    reason,
    changes: Object.fromEntries(names.map((name) => [name, [before[name], limits[name]] as const])),
  } as const;
  const [, [changed]] = await directory.batch([
    auditStatement(directory, line, sql`exists (select 1 from ${stores} where ${isBefore})`),
    rawDatabaseStatement<{ id: number }>(
      directory,
      sql`update ${stores} set event_budget = ${limits.event_budget},
        requests_per_minute = ${limits.requests_per_minute}, updated_at = ${now}
        where ${isBefore} returning id`,
    ),
  ]);
  if (!changed) assertUsable(await requireStore(action, storeId));
  spreadStoreChange(action, storeId);
}
