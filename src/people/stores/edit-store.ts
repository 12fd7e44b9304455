import { sql } from 'drizzle-orm';
import { withDbErrors } from '../../db/core/errors.ts';
import { rawDatabaseStatement } from '../../db/core/raw.ts';
import { auditStatement, type AuditLine } from '../../db/directory/audit.ts';
import { stores } from '../../db/schema/directory.ts';
import { copyStoreFacts } from '../../db/shards/copy-facts.ts';
import type { DeedContext } from '../deed.ts';

/** What its members change of a store, as they saw it. */
interface EditableStore {
  id: number;
  name: string;
  zone: string;
}

/** Changes the name and the time zone of a store, which the caller has checked. One batch; nothing if both stay as they are. */
export async function editStore(
  deed: DeedContext,
  store: EditableStore,
  { name, zone }: Pick<EditableStore, 'name' | 'zone'>,
): Promise<void> {
  const { directory, env, now, defer } = deed;
  const { id } = store;
  const changes = {
    ...(name !== store.name && { name: [store.name, name] as const }),
    ...(zone !== store.zone && { zone: [store.zone, zone] as const }),
  };
  if (Object.keys(changes).length === 0) return;
  await withDbErrors(
    directory.batch([
      auditStatement(directory, storeLine(deed, id, 'store.edited', changes)),
      rawDatabaseStatement(
        directory,
        sql`update ${stores} set name = ${name}, zone = ${zone}, updated_at = ${now} where id = ${id}`,
      ),
    ]),
  );
  if (zone !== store.zone) defer(copyStoreFacts(env, id));
}

/** Requires a second factor of all members of a store, or leaves it to each. A repetition changes nothing. One batch. */
export async function requireSecondFactor(
  deed: DeedContext,
  { id }: Pick<EditableStore, 'id'>,
  isRequired: boolean,
): Promise<void> {
  const { directory, now } = deed;
  const changes = { mfa_required: [!isRequired, isRequired] as const };
  const isOther = sql`mfa_required = ${Number(!isRequired)}`;
  await withDbErrors(
    directory.batch([
      auditStatement(
        directory,
        storeLine(deed, id, 'store.second_factor_changed', changes),
        sql`exists (select 1 from ${stores} where id = ${id} and ${isOther})`,
      ),
      rawDatabaseStatement(
        directory,
        sql`update ${stores} set mfa_required = ${Number(isRequired)}, updated_at = ${now}
          where id = ${id} and ${isOther}`,
      ),
    ]),
  );
}

const storeLine = (
  { actor, from, now }: DeedContext,
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
