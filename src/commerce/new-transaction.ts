import type { transactions } from '../db/schema/store.ts';
import { stamps } from '../db/stamps.ts';
import type { StoreDb } from '../db/store.ts';
import type { Row, Values } from '../db/table.ts';
import { InvalidBody } from '../problem.ts';
import { localTime } from '../wire/datetime.ts';
import { allowedInstallments } from './installments.ts';
import type { Terms } from './payment-terms.ts';
import type { ReadTransaction } from './transaction-reading.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** How an order is to be paid. */
export interface PaymentChoice {
  payment_id: number;
  installments: number;
  affiliation_id: number | null;
  holder_name: string | null;
  holder_document: string | null;
  truncated_card: string | null;
}

/** What belongs to the order that is paid; amounts in cents. */
interface Payable {
  order_id: number;
  customer_id: number;
  amount: number;
  /** The order comes paid already (an import). */
  isPaid: boolean;
}

/**
 * A new transaction as it is stored. Cards and wallets are authorized, the others wait for payment; timers follow from the
 * configuration and its affiliation. Throws an `InvalidBody` when the store does not take the payment like that.
 */
export function newTransaction(
  { store, now }: StoreDb,
  { order_id, customer_id, amount, isPaid }: Payable,
  choice: PaymentChoice,
  { payment, plan, affiliation }: Terms,
): Values<typeof transactions> {
  const config = payment?.config.data;
  if (!payment) throw new InvalidBody({ payment_id: ['No such payment in this store.'] });
  if (!config?.active) throw new InvalidBody({ payment_id: ['Its configuration is not active.'] });
  if (choice.affiliation_id !== null && !affiliation) {
    throw new InvalidBody({ affiliation_id: ['No such affiliation in this store.'] });
  }
  const allowed = allowedInstallments(amount, config, plan);
  const chosen = allowed.find(({ installments }) => installments === choice.installments);
  if (!chosen) {
    const numbers = allowed.map(({ installments }) => installments).join(', ');
    throw new InvalidBody({ installments: [`Must be one of ${numbers}.`] });
  }
  const isCard = payment.alias === 'credit_card' || payment.alias === 'wallet';
  const isAuthorized = isCard || isPaid;
  const captureAt =
    isCard && affiliation?.auto_capture ? now + affiliation.capture_hour_delay * hour : null;
  const cancelAt = {
    pix: now + config.hours_to_cancel_unpaid_pix * hour,
    pix_in_installments: now + config.hours_to_cancel_unpaid_pix * hour,
    billet: now + config.days_to_cancel_unpaid_billets * day,
    credit_card: null,
    wallet: null,
    deposit: null,
  }[payment.alias];
  return {
    ...unset,
    ...choice,
    ...chosen,
    order_id,
    customer_id,
    amount,
    affiliation_id: affiliation?.id ?? null,
    status: isPaid ? 'paid' : isCard ? 'authorized' : 'waiting_payment',
    authorized_at: isAuthorized ? now : null,
    captured_at: isPaid ? now : null,
    capture_date: isPaid ? now : captureAt,
    due_at: isPaid ? null : isCard ? captureAt : cancelAt,
    billet_date:
      payment.alias === 'billet'
        ? localTime(now + config.billet_expire_days * day, store.zone).slice(0, 10)
        : null,
  };
}

/** The row as it will be read once it is stored. */
export const storedTransaction = (
  db: StoreDb,
  id: number,
  values: Values<typeof transactions>,
  { payment }: Terms,
): ReadTransaction => ({
  // Every column is set by `newTransaction`.
  ...(values as Omit<Row<typeof transactions>, 'id' | 'store_id' | 'created_at' | 'updated_at'>),
  ...stamps(db, id),
  payment: { data: payment ?? null },
});

/** What a gateway, a bank or an antifraud service would say. */
const unset = {
  marketplace_id: null,
  marketplace_account_id: null,
  gateway_transaction_id: null,
  gateway_order_id: null,
  gateway_billet_id: null,
  gateway_authorization_code: null,
  error_message: null,
  error_code: null,
  bank_name: null,
  bank_alias: null,
  billet_url: null,
  billet_barcode: null,
  billet_our_number: null,
  billet_document_number: null,
  billet_whatsapp_link: null,
  antifraud_sale_id: null,
  antifraud_status: null,
  antifraud_score: null,
  sent_to_antifraud: false,
  total_logs: 1,
  cancelled_at: null,
  metadata: [],
};
