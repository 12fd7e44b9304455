import type { KeyRing } from '../../crypto/keys.ts';
import type { Database } from '../../db/core/open.ts';
import type { Store } from '../../db/core/store.ts';
import { emailConfigurations } from '../../db/schema/store/settings.ts';
import { configureEmails } from '../../resources/emails/commands.ts';
import { EmailConfigurationRequest } from '../../resources/emails/requests.ts';
import { fillPayments } from '../../test-stores/fill/fill-payments.ts';
import { createSeedDb } from '../../test-stores/fill/insert-missing.ts';

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
