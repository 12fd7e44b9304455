import type { KeyRing } from '../../crypto/keys.ts';
import { insertMissingPaymentTypes } from '../../db/checkout/payment-types.ts';
import type { Database } from '../../db/core/open.ts';
import type { Store } from '../../db/core/store.ts';
import type { paymentAliases } from '../../db/schema/store/payments.ts';
import { affiliations, paymentConfigurations, payments } from '../../db/schema/store/payments.ts';
import { emailConfigurations } from '../../db/schema/store/settings.ts';
import { configureEmails } from '../../resources/emails/commands.ts';
import { EmailConfigurationRequest } from '../../resources/emails/requests.ts';
import { configurePayment } from '../../resources/payments/commands.ts';
import { PaymentConfigurationChanges } from '../../resources/payments/requests.ts';
import { createSeedDb } from './insert-missing.ts';

/** Payment types of the demo stores; amounts are in reais. Types that are not listed stay inactive. */
const activePayments: Partial<Record<(typeof paymentAliases)[number], object>> = {
  credit_card: {
    min_installment_value: 20,
    max_installments_without_tax: 3,
    installments: Array.from({ length: 6 }, (_, index) => ({
      installment: index + 1,
      tax: index < 3 ? 0 : 1.99,
    })),
  },
  pix: { default_display: true, percent_discount: 5 },
  billet: { billet_instructions: 'Não receber após o vencimento.' },
};

/** Configures payments and the mail account where the store has none yet. */
export async function seedCheckout(
  store: Store,
  database: Database,
  sealingKeys: KeyRing,
  now: number,
) {
  const db = createSeedDb(store, database, now);
  await insertMissingPaymentTypes(db);
  const [types, configurations, storeAffiliations, mailAccounts] = await db.batch([
    db.select(payments),
    db.select(paymentConfigurations),
    db.select(affiliations),
    db.select(emailConfigurations),
  ]);
  for (const { id, alias } of types) {
    const configuration = configurations.find(({ payment_id }) => payment_id === id);
    const seed = activePayments[alias];
    if (!configuration || configuration.active || !seed) continue;
    const affiliation_id = alias === 'credit_card' ? storeAffiliations[0]?.id : undefined;
    const changes = PaymentConfigurationChanges.parse({ ...seed, active: true, affiliation_id });
    await configurePayment(db, { paymentId: id, id: configuration.id }, changes);
  }
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
