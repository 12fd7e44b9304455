import { sql } from 'drizzle-orm';
import { computedNumber } from '../../db/relations.ts';
import { paymentConfigurations, payments } from '../../db/schema/store.ts';
import type { Row } from '../../db/table.ts';

const ofPayment = sql`from ${paymentConfigurations} where ${paymentConfigurations.payment_id} = ${payments.id}`;

/** What is read with a payment type of its configuration; 0 where there is none. */
export const paymentExtras = {
  config_id: computedNumber(sql`coalesce((select ${paymentConfigurations.id} ${ofPayment}), 0)`),
  config_active: computedNumber(
    sql`coalesce((select ${paymentConfigurations.active} ${ofPayment}), 0)`,
  ),
};

/** A payment type as it was read with {@link paymentExtras}. */
export type ReadPayment = Row<typeof payments> & { config_id: number; config_active: number };

/** Adds what follows from the alias and the configuration. */
export const presentPayment = (payment: ReadPayment) => ({
  ...payment,
  has_config: payment.config_id > 0,
  active_config: payment.config_active === 1,
  is_credit_card: payment.alias === 'credit_card',
  is_deposit: payment.alias === 'deposit',
  is_billet: payment.alias === 'billet',
  is_pix: payment.alias === 'pix',
  is_pix_in_installments: payment.alias === 'pix_in_installments',
  is_wallet: payment.alias === 'wallet',
});
