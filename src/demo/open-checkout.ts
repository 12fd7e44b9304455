import type { Shard } from '../db/open.ts';
import { givePaymentTypes } from '../db/payment-types.ts';
import type { paymentAliases } from '../db/schema/payments.ts';
import {
  affiliations,
  emailConfigurations,
  paymentConfigurations,
  payments,
} from '../db/schema/store.ts';
import type { Store } from '../db/store.ts';
import { EmailConfigurationRequest } from '../resources/emails/request.ts';
import { configureEmails } from '../resources/emails/writing.ts';
import { ConfigurationChanges } from '../resources/payments/request.ts';
import { configurePayment } from '../resources/payments/writing.ts';
import { handle } from './handle.ts';

/** How the demo stores take money, in reais; the types that are not named stay inactive. */
const taken: Partial<Record<(typeof paymentAliases)[number], object>> = {
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

/** Lets a store take money and send e-mails, as far as it does not do so yet. */
export async function openCheckout(store: Store, shard: Shard, sealingKey: string, now: number) {
  const db = handle(store, shard, now);
  await givePaymentTypes(db);
  const [types, configurations, contracts, accounts] = await db.batch([
    db.select(payments),
    db.select(paymentConfigurations),
    db.select(affiliations),
    db.select(emailConfigurations),
  ]);
  for (const { id, alias } of types) {
    const configuration = configurations.find((one) => one.payment_id === id);
    const wanted = taken[alias];
    if (!configuration || configuration.active || !wanted) continue;
    const affiliation_id = alias === 'credit_card' ? contracts[0]?.id : undefined;
    const changes = ConfigurationChanges.parse({ ...wanted, active: true, affiliation_id });
    await configurePayment(db, { paymentId: id, id: configuration.id }, changes);
  }
  if (accounts.length > 0) return;
  const account = {
    host: 'smtp.demo.test',
    port: 587,
    username: store.alias,
    password: 'demo-mail-password',
    from: `contato@${store.alias}.test`,
    name: `Loja ${store.alias}`,
  };
  await configureEmails(db, sealingKey, EmailConfigurationRequest.parse(account));
}
