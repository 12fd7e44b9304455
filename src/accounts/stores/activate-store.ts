import { sql } from 'drizzle-orm';
import { conflict } from '../../base/errors.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import { auditStatement } from '../../data/directory/audit-lines.ts';
import { stores } from '../../data/schema/directory/directory-tables.ts';
import { jobs } from '../../data/schema/directory/operators-tables.ts';
import { copyStoreFacts } from '../../data/shards/copy-facts.ts';
import { insertMailToMembers, prepareMail } from '../../mail/outbox.ts';
import { wakeMail } from '../../mail/wake-mail.ts';
import { cancelErasureStatements } from '../../platform/jobs/cancel-job.ts';
import { endTrust } from '../end-trust.ts';
import { assertUsable, requireStore, storeStatement } from './find-store.ts';
import type { StoreRow } from './insert-store.ts';

const notifiedRoles = ['owner', 'manager'] as const;

/** Copies the change to the shard at once, and sends the mails. */
function afterChange(action: ActionContext, { id }: StoreRow) {
  action.defer(copyStoreFacts(action.env, id));
  action.defer(wakeMail(action.env));
}

/**
 * Deactivates a store: it cannot be opened, and nothing is sent, captured or reminded until it is active again.
 * Notifies owner and managers of the reason. A store that is inactive stays as it is. One batch.
 */
export async function deactivateStore(
  action: ActionContext,
  { storeId, reason }: { storeId: number; reason: string },
): Promise<StoreRow> {
  const { directory, settings, actor, from, now } = action;
  const { name } = await requireStore(action, storeId);
  const mail = await prepareMail(settings, {
    kind: 'store_deactivated',
    language: 'en',
    data: { store: name, reason },
  });
  const isActive = sql`exists (select 1 from ${stores} where id = ${storeId} and active = 1)`;
  const line = {
    at: now,
    actor,
    from,
    action: 'store.deactivated',
    target: { kind: 'store', id: storeId },
    storeId,
    reason,
  };
  const results = await directory.batch([
    auditStatement(directory, line, isActive),
    insertMailToMembers(directory, mail, { storeId, roles: notifiedRoles }, now, isActive),
    ...endTrust(action, 'store_locked', { storeId }, isActive),
    rawDatabaseStatement(
      directory,
      sql`update ${stores} set active = 0, inactive_reason = ${reason}, inactive_since = ${now}, updated_at = ${now}
          where id = ${storeId} and active = 1`,
    ),
    storeStatement(action, storeId),
  ]);
  const store = assertUsable((results.at(-1) as StoreRow[])[0]);
  afterChange(action, store);
  return store;
}

/**
 * Makes a store active again, also one that its owner closed, unless its erasure has begun (409). Waiting work
 * continues. An active store stays as it is. One batch.
 */
export async function reactivateStore(
  action: ActionContext,
  { storeId, reason }: { storeId: number; reason?: string },
): Promise<StoreRow> {
  const { directory, settings, actor, from, now } = action;
  const { name } = await requireStore(action, storeId);
  const mail = await prepareMail(settings, {
    kind: 'store_reactivated',
    language: 'en',
    data: { store: name },
  });
  const [cancelLine, cancel] = cancelErasureStatements(action, storeId);
  const isReady = sql`id = ${storeId} and active = 0 and erased_at is null and not exists (
    select 1 from ${jobs} where store_id = ${storeId} and kind = 'store_erasure' and finished_at is null)`;
  const isInactive = sql`exists (select 1 from ${stores} where ${isReady})`;
  const line = {
    at: now,
    actor,
    from,
    action: 'store.reactivated',
    target: { kind: 'store', id: storeId },
    storeId,
    ...(reason !== undefined && { reason }),
  };
  const [, , , , , [after]] = await directory.batch([
    cancelLine,
    cancel,
    auditStatement(directory, line, isInactive),
    insertMailToMembers(directory, mail, { storeId, roles: notifiedRoles }, now, isInactive),
    rawDatabaseStatement(
      directory,
      sql`update ${stores} set active = 1, inactive_reason = null, inactive_since = null, erase_at = null, updated_at = ${now}
          where ${isReady}`,
    ),
    storeStatement(action, storeId),
  ]);
  const store = assertUsable(after);
  if (!store.active) throw conflict('job_irrevocable');
  afterChange(action, store);
  return store;
}
