import { eq, sql } from 'drizzle-orm';
import { equalInConstantTime } from '../../crypto/digest.ts';
import type { KeyRing } from '../../crypto/keys.ts';
import { seal, unseal } from '../../crypto/seal.ts';
import { changedFields } from '../../db/audit/changes.ts';
import { storeAuditStatement } from '../../db/audit/store-line.ts';
import { retryOnConflict } from '../../db/contention/retry.ts';
import { lastResult } from '../../db/core/statement.ts';
import type { StoreDb } from '../../db/core/store-db.ts';
import { emailConfigurations } from '../../db/schema/store/settings.ts';
import type { EmailConfigurationRequest } from './requests.ts';

/**
 * Creates the mail account of a store, or replaces it under the same `id` and `created_at`. The password is sealed with
 * `sealingKeys` in the context of this store. Two round trips.
 */
export const configureEmails = (
  db: StoreDb,
  sealingKeys: KeyRing,
  { password, ...values }: EmailConfigurationRequest,
) =>
  retryOnConflict(async () => {
    const [found] = await db.batch([db.select(emailConfigurations)]);
    const before = found[0];
    const sealContext = `email-password:${db.store.id}`;
    if (!before) {
      const password_sealed = await seal(sealingKeys, password, sealContext);
      const [, rows] = await db.batch([
        db.assert(hasNoConfiguration(db)),
        db.insertStatement(emailConfigurations, { ...values, password_sealed }),
        ...recordChange(db, {}, { ...values, password_sealed }),
      ]);
      return rows[0];
    }
    // Sealing the same password again gives another text, which would count as a change.
    const isSamePassword = await sealsPassword(
      password,
      sealingKeys,
      before.password_sealed,
      sealContext,
    );
    const changes = isSamePassword
      ? values
      : { ...values, password_sealed: await seal(sealingKeys, password, sealContext) };
    const results = await db.batch([
      ...recordChange(db, before, changes),
      db.updateStatement(emailConfigurations, eq(emailConfigurations.id, before.id), changes),
      db.selectOne(emailConfigurations, before.id),
    ]);
    return lastResult(results)[0];
  });

/** The statement that records what changes of the configuration, as this request has read it; none without a change. */
function recordChange(
  db: StoreDb,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
) {
  const changes = changedFields(before, after, { password_sealed: 'password' });
  const target = { kind: 'email_configuration', id: db.store.id };
  return Object.keys(changes).length === 0
    ? []
    : [storeAuditStatement(db, { action: 'emails.configured', target, changes })];
}

/** SQL condition: no concurrent request has created the configuration. */
const hasNoConfiguration = (db: StoreDb) =>
  sql`not exists (select 1 from ${emailConfigurations} where ${emailConfigurations.store_id} = ${db.store.id})`;

async function sealsPassword(
  password: string,
  sealingKeys: KeyRing,
  sealed: string,
  context: string,
) {
  try {
    return await equalInConstantTime(await unseal(sealingKeys, sealed, context), password);
  } catch {
    // Sealed with a key that was removed: the password that is sent now replaces it.
    return false;
  }
}
