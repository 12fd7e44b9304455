import { sql } from 'drizzle-orm';
import { endTrust } from '../accounts/end-trust.ts';
import { spreadStoreChange } from '../accounts/forget-store.ts';
import type { ActionContext } from '../data/audit/action.ts';
import { auditStatement, type AuditLine } from '../data/audit/audit-lines.ts';
import { rawDatabaseStatement } from '../data/core/raw.ts';
import { stores } from '../data/schema/directory/directory-tables.ts';

/** The fields of a store that its members change, as they saw them. */
interface EditableStore {
  id: number;
  name: string;
  zone: string;
}

/**
 * Changes the name and the time zone of a store, which the caller has checked. One batch; nothing
 * if both stay as they are.
 */
export async function editStore(
  action: ActionContext,
  store: EditableStore,
  { name, zone }: Pick<EditableStore, 'name' | 'zone'>,
): Promise<void> {
  const { directory, now } = action;
  const { id } = store;
  const changes = {
    ...(name !== store.name && { name: [store.name, name] as const }),
    ...(zone !== store.zone && { zone: [store.zone, zone] as const }),
  };
  if (Object.keys(changes).length === 0) return;
  const isOther = sql`id = ${id} and (name <> ${name} or zone <> ${zone})`;
  await directory.batch([
    auditStatement(
      directory,
      storeLine(action, id, 'store.edited', changes),
      sql`exists (select 1 from ${stores} where ${isOther})`,
    ),
    rawDatabaseStatement(
      directory,
      sql`update ${stores} set name = ${name}, zone = ${zone}, updated_at = ${now} where ${isOther}`,
    ),
  ]);
  if (zone !== store.zone) spreadStoreChange(action, id);
}

/**
 * Requires a second factor of all members of a store, or lets each decide. A repetition changes
 * nothing. One batch.
 */
export async function requireSecondFactor(
  action: ActionContext,
  { id }: Pick<EditableStore, 'id'>,
  isRequired: boolean,
): Promise<void> {
  const { directory, now } = action;
  const changes = { mfa_required: [!isRequired, isRequired] as const };
  const isOther = sql`mfa_required = ${Number(!isRequired)}`;
  await directory.batch([
    auditStatement(
      directory,
      storeLine(action, id, 'store.second_factor_changed', changes),
      sql`exists (select 1 from ${stores} where id = ${id} and ${isOther})`,
    ),
    ...endTrust(action, 'second_factor_required', { storeId: id }, isOther),
    rawDatabaseStatement(
      directory,
      sql`update ${stores} set mfa_required = ${Number(isRequired)}, updated_at = ${now}
          where id = ${id} and ${isOther}`,
    ),
  ]);
  spreadStoreChange(action, id);
}

const storeLine = (
  { actor, from, now }: ActionContext,
  storeId: number,
  action: string,
  changes: NonNullable<AuditLine['changes']>,
): AuditLine => ({
  at: now,
  actor,
  from,
  action,
  target: { kind: 'store', id: storeId },
  storeId,
  changes,
});
