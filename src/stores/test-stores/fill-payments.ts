import type { StoreDb } from '../../data/core/store-db.ts';
import type { paymentAliases } from '../../data/schema/store/payments-tables.ts';
import {
  affiliations,
  paymentConfigurations,
  payments,
} from '../../data/schema/store/payments-tables.ts';
import { configurePayment } from '../../sales/payments/commands.ts';
import { insertMissingPaymentTypes } from '../../sales/payments/payment-type-queries.ts';
import { PaymentConfigurationChanges } from '../../sales/payments/requests.ts';

/**
 * Payment types that a filled store offers; amounts are in reais. Types that are not listed stay
 * inactive.
 */
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

/** Creates the payment types, and activates those that a shop needs and that are still inactive. */
export async function fillPayments(db: StoreDb): Promise<void> {
  await insertMissingPaymentTypes(db);
  const [types, configurations, storeAffiliations] = await db.batch([
    db.select(payments),
    db.select(paymentConfigurations),
    db.select(affiliations),
  ]);
  for (const { id, alias } of types) {
    const configuration = configurations.find(({ payment_id }) => payment_id === id);
    const seed = activePayments[alias];
    if (!configuration || configuration.active || !seed) continue;
    const affiliation_id = alias === 'credit_card' ? storeAffiliations[0]?.id : undefined;
    const changes = PaymentConfigurationChanges.parse({ ...seed, active: true, affiliation_id });
    await configurePayment(db, { paymentId: id, id: configuration.id }, changes);
  }
}
