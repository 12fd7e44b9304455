import { sql } from 'drizzle-orm';
import { endTrust } from '../accounts/end-trust.ts';
import { spreadStoreChange } from '../accounts/forget-store.ts';
import { Role } from '../base/roles.ts';
import type { ActionContext } from '../data/audit/action.ts';
import { auditStatement } from '../data/audit/audit-lines.ts';
import { rawDatabaseStatement } from '../data/core/raw.ts';
import { stores } from '../data/schema/directory/directory-tables.ts';
import { insertMailToMembers, prepareMail, wakeMail } from '../mail/outbox.ts';
import { assertUsable, requireStore, storeStatement } from './find-store.ts';
import type { StoreRow } from './insert-store.ts';

const notifiedRoles = [Role.owner, Role.manager] as const;

/** Spreads the change at once, and sends the mails. */
function afterChange(action: ActionContext, { id }: StoreRow) {
  spreadStoreChange(action, id);
  action.defer(wakeMail(action.env));
}

/**
 * Locks a store, as an operator: it cannot be opened, and nothing is sent, captured or reminded
 * until it is unlocked. A closed store is locked as well, and stays so when it is opened again.
 * Notifies owner and managers of the reason. A store that is locked stays as it is. One batch.
 */
export async function deactivateStore(
  action: ActionContext,
  { storeId, reason }: { storeId: number; reason: string },
): Promise<StoreRow> {
  const { directory, settings, actor, from, now } = action;
  const { name } = await requireStore(action, storeId);
  const mail = await prepareMail(settings, {
    kind: 'store_deactivated',
    data: { store: name, reason },
  });
  const isReady = sql`id = ${storeId} and locked_at is null and erased_at is null`;
  const isUnlocked = sql`exists (select 1 from ${stores} where ${isReady})`;
  const line = {
    at: now,
    actor,
    from,
    action: 'store.deactivated',
    target: { kind: 'store' as const, id: storeId },
    storeId,
    reason,
  };
  const results = await directory.batch([
    auditStatement(directory, line, isUnlocked),
    insertMailToMembers(directory, mail, { storeId, roles: notifiedRoles }, now, isUnlocked),
    ...endTrust(action, 'store_locked', { storeId }, isUnlocked),
    rawDatabaseStatement(
      directory,
      sql`update ${stores} set active = 0, lock_reason = ${reason}, locked_at = ${now}, updated_at = ${now}
          where ${isReady}`,
    ),
    storeStatement(action, storeId),
  ]);
  const store = assertUsable((results.at(-1) as StoreRow[])[0]);
  afterChange(action, store);
  return store;
}

/**
 * Unlocks a store, as an operator. Waiting work continues, unless the store is closed: then it
 * stays closed. A store that is not locked stays as it is. One batch.
 */
export async function reactivateStore(
  action: ActionContext,
  { storeId, reason }: { storeId: number; reason?: string },
): Promise<StoreRow> {
  const { directory, settings, actor, from, now } = action;
  const { name } = await requireStore(action, storeId);
  const mail = await prepareMail(settings, {
    kind: 'store_reactivated',
    data: { store: name },
  });
  const isReady = sql`id = ${storeId} and locked_at is not null and erased_at is null`;
  const isLocked = sql`exists (select 1 from ${stores} where ${isReady})`;
  const isOpened = sql`exists (select 1 from ${stores} where ${isReady} and closed_at is null)`;
  const line = {
    at: now,
    actor,
    from,
    action: 'store.reactivated',
    target: { kind: 'store' as const, id: storeId },
    storeId,
    ...(reason !== undefined && { reason }),
  };
  const [, , , [after]] = await directory.batch([
    auditStatement(directory, line, isLocked),
    insertMailToMembers(directory, mail, { storeId, roles: notifiedRoles }, now, isOpened),
    rawDatabaseStatement(
      directory,
      sql`update ${stores} set active = closed_at is null, lock_reason = null, locked_at = null, updated_at = ${now}
          where ${isReady}`,
    ),
    storeStatement(action, storeId),
  ]);
  const store = assertUsable(after);
  afterChange(action, store);
  return store;
}
