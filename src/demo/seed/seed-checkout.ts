import { configureEmails, EmailConfigurationRequest } from '../../api/emails.ts';
import type { KeyRing } from '../../base/crypto/keys.ts';
import { fillPayments } from '../../commerce/test-stores/fill-payments.ts';
import { createSeedDb } from '../../commerce/test-stores/insert-missing.ts';
import type { Database } from '../../data/core/open-database.ts';
import type { Store } from '../../data/core/store.ts';
import { emailConfigurations } from '../../data/schema/store/settings-tables.ts';

/** Configures payments and the mail account where the store has none yet. */
export async function seedCheckout(
  store: Store,
  database: Database,
  sealingKeys: KeyRing,
  now: number,
) {
  const db = createSeedDb(store, database, now);
  await fillPayments(db);
  const [mailAccounts] = await db.batch([db.select(emailConfigurations)]);
  if (mailAccounts.length > 0) return;
  const mailAccount = {
    host: 'smtp.demo.test',
    port: 587,
    username: store.alias,
    password: 'demo-mail-password',
    from: `contato@${store.alias}.test`,
    name: `Loja ${store.alias}`,
  };
  await configureEmails(db, sealingKeys, EmailConfigurationRequest.parse(mailAccount));
}
