import { eq, sql } from 'drizzle-orm';
import { equalInConstantTime } from '../../crypto/equal.ts';
import { seal, unseal } from '../../crypto/seal.ts';
import { untilFresh } from '../../db/fresh.ts';
import { emailConfigurations } from '../../db/schema/store.ts';
import { lastOf } from '../../db/statement.ts';
import type { StoreDb } from '../../db/store.ts';
import type { EmailConfigurationRequest } from './request.ts';

/**
 * Makes the mail account of a store or replaces what it is; `id` and `created_at` stay. The password is sealed
 * under `sealingKey` for this store alone. Two round trips.
 */
export const configureEmails = (
  db: StoreDb,
  sealingKey: string,
  { password, ...values }: EmailConfigurationRequest,
) =>
  untilFresh(async () => {
    const [found] = await db.batch([db.select(emailConfigurations)]);
    const before = found[0];
    const place = `email-password:${db.store.id}`;
    if (!before) {
      const password_sealed = await seal(sealingKey, password, place);
      const [, rows] = await db.batch([
        db.must(hasNone(db)),
        db.insertion(emailConfigurations, { ...values, password_sealed }),
      ]);
      return rows[0];
    }
    // Sealing the same password again gives another text, which would look like a change.
    const isKept = await opensTo(password, sealingKey, before.password_sealed, place);
    const changes = isKept
      ? values
      : { ...values, password_sealed: await seal(sealingKey, password, place) };
    const results = await db.batch([
      db.change(emailConfigurations, eq(emailConfigurations.id, before.id), changes),
      db.selectOne(emailConfigurations, before.id),
    ]);
    return lastOf(results)[0];
  });

/** Somebody else may have made it since it was looked for. */
const hasNone = (db: StoreDb) =>
  sql`not exists (select 1 from ${emailConfigurations} where ${emailConfigurations.store_id} = ${db.store.id})`;

async function opensTo(password: string, sealingKey: string, sealed: string, place: string) {
  try {
    return await equalInConstantTime(await unseal(sealingKey, sealed, place), password);
  } catch {
    // Sealed under a key that is no longer there: what is sent now replaces it.
    return false;
  }
}
