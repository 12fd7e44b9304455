import { formatLocalTime } from '../../base/codecs/fields/local-time.ts';
import { dayMs, hourMs } from '../../base/durations.ts';
import { ValidationError } from '../../base/errors.ts';
import { baseColumns } from '../../data/core/reserved-ids.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { Row, InsertValues } from '../../data/core/store-table.ts';
import type { transactions } from '../../data/schema/store/transactions-tables.ts';
import { allowedInstallments } from './installments.ts';
import type { PaymentTerms } from './payment-terms.ts';
import type { TransactionRecord } from './transaction-queries.ts';

/** How a buyer pays an order. */
export interface PaymentChoice {
  payment_id: number;
  installments: number;
  affiliation_id: number | null;
  holder_name: string | null;
  holder_document: string | null;
  truncated_card: string | null;
}

/** Values that a new transaction takes from its order; `amount` in cents. */
interface Payable {
  order_id: number;
  customer_id: number;
  amount: number;
  /** Whether the order was paid elsewhere. */
  isPaid: boolean;
}

/**
 * Returns the columns of a new transaction. Cards and wallets start as authorized, other types wait
 * for payment. `due_at` follows from the configuration of the payment type and its affiliation.
 * Throws a `ValidationError` if the store does not accept this payment.
 */
export function buildTransaction(
  { store, now }: StoreDb,
  { order_id, customer_id, amount, isPaid }: Payable,
  choice: PaymentChoice,
  { payment, plan, affiliation }: PaymentTerms,
): InsertValues<typeof transactions> {
  const config = payment?.config.data;
  if (!payment) throw new ValidationError({ payment_id: ['No such payment in this store.'] });
  if (!config?.active) {
    throw new ValidationError({ payment_id: ['This payment is not active in this store.'] });
  }
  if (choice.affiliation_id !== null && !affiliation) {
    throw new ValidationError({ affiliation_id: ['No such affiliation in this store.'] });
  }
  const allowed = allowedInstallments(amount, config, plan);
  const option = allowed.find(({ installments }) => installments === choice.installments);
  if (!option) {
    const numbers = allowed.map(({ installments }) => installments).join(', ');
    throw new ValidationError({ installments: [`Must be one of ${numbers}.`] });
  }
  const isCard = payment.alias === 'credit_card' || payment.alias === 'wallet';
  const isAuthorized = isCard || isPaid;
  const captureAt =
    isCard && affiliation?.auto_capture ? now + affiliation.capture_hour_delay * hourMs : null;
  const cancelAt = {
    pix: now + config.hours_to_cancel_unpaid_pix * hourMs,
    pix_in_installments: now + config.hours_to_cancel_unpaid_pix * hourMs,
    billet: now + config.days_to_cancel_unpaid_billets * dayMs,
    credit_card: null,
    wallet: null,
    deposit: null,
  }[payment.alias];
  return {
    ...gatewayDefaults,
    ...choice,
    ...option,
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
        ? formatLocalTime(now + config.billet_expire_days * dayMs, store.zone).slice(0, 10)
        : null,
  };
}

/** Returns the transaction as it will be read after the insert. */
export const toTransactionRecord = (
  db: StoreDb,
  id: number,
  values: InsertValues<typeof transactions>,
  { payment }: PaymentTerms,
): TransactionRecord => ({
  // `buildTransaction` sets every column.
  ...(values as Omit<Row<typeof transactions>, 'id' | 'store_id' | 'created_at' | 'updated_at'>),
  ...baseColumns(db, id),
  payment: { data: payment ?? null },
});

/** Columns that a gateway, a bank or an antifraud service would set. */
const gatewayDefaults = {
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
