import { sql } from 'drizzle-orm';
import { dayMs } from '../../base/durations.ts';
import { conflict } from '../../base/errors.ts';
import { memberRoles } from '../../base/roles.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import { auditStatement } from '../../data/directory/audit-lines.ts';
import { stores } from '../../data/schema/directory/directory-tables.ts';
import { jobs } from '../../data/schema/directory/operators-tables.ts';
import { copyStoreFacts } from '../../data/shards/copy-facts.ts';
import { insertMailToMembers, prepareMail } from '../../mail/outbox.ts';
import { wakeMail } from '../../mail/wake-mail.ts';
import { cancelErasureStatements } from '../../platform/jobs/cancel-job.ts';
import { jobStatements } from '../../platform/jobs/request-job.ts';
import { assertUsable, requireStore, storeStatement } from './find-store.ts';
import type { StoreRow } from './insert-store.ts';

/** How long a closed store can be opened again, in milliseconds. */
export const closingTime = 30 * dayMs;

/**
 * Closes a store: it is inactive at once, and its data are erased after 30 days. Notifies its members. A store that is
 * closed stays as it is. One batch.
 */
export async function closeStore(
  action: ActionContext,
  { storeId, reason }: { storeId: number; reason: string },
): Promise<StoreRow> {
  const { directory, settings, now } = action;
  const { name, shard } = await requireStore(action, storeId);
  const dueAt = now + closingTime;
  const mail = await prepareMail(settings, {
    kind: 'store_closing',
    language: 'en',
    data: { store: name, date: dueAt },
  });
  const isOpen = sql`exists (select 1 from ${stores} where id = ${storeId} and erase_at is null and erased_at is null)`;
  const everyone = { storeId, roles: memberRoles };
  const results = await directory.batch([
    storeStatement(action, storeId),
    insertMailToMembers(directory, mail, everyone, now, isOpen),
    ...jobStatements(action, { kind: 'store_erasure', storeId, reason, dueAt }, shard, isOpen),
    storeStatement(action, storeId),
  ]);
  return finish(action, results.at(-1));
}

/**
 * Opens a closed store again, unless its erasure has begun (409). A store that an operator had deactivated before stays
 * inactive. A store that is not closed stays as it is. One batch.
 */
export async function reopenStore(
  action: ActionContext,
  { storeId }: { storeId: number },
): Promise<StoreRow> {
  const { directory, actor, from, now } = action;
  await requireStore(action, storeId);
  const [cancelLine, cancel] = cancelErasureStatements(action, storeId);
  const erasures = sql`from ${jobs} where store_id = ${storeId} and kind = 'store_erasure'`;
  const isReady = sql`id = ${storeId} and erase_at is not null and erased_at is null
    and not exists (select 1 ${erasures} and finished_at is null)`;
  // Closing an active store makes it inactive; another one was inactive before.
  const wasActive = sql`inactive_since >= (select max(created_at) ${erasures})`;
  const line = {
    at: now,
    actor,
    from,
    action: 'store.reopened',
    target: { kind: 'store', id: storeId },
    storeId,
  };
  const results = await directory.batch([
    cancelLine,
    cancel,
    auditStatement(directory, line, sql`exists (select 1 from ${stores} where ${isReady})`),
    rawDatabaseStatement(
      directory,
      sql`update ${stores} set erase_at = null, active = ${wasActive}, updated_at = ${now},
            inactive_reason = iif(${wasActive}, null, inactive_reason), inactive_since = iif(${wasActive}, null, inactive_since)
          where ${isReady}`,
    ),
    storeStatement(action, storeId),
  ]);
  const store = finish(action, results.at(-1));
  if (store.erase_at !== null) throw conflict('job_irrevocable');
  return store;
}

function finish(action: ActionContext, [after]: StoreRow[] = []): StoreRow {
  const store = assertUsable(after);
  action.defer(copyStoreFacts(action.env, store.id));
  action.defer(wakeMail(action.env));
  return store;
}
