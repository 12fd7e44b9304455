import { eq } from 'drizzle-orm';
import type { Row } from '../../data/core/store-table.ts';
import { toOne } from '../../data/queries/relations.ts';
import { payments } from '../../data/schema/store/payments-tables.ts';
import { transactions } from '../../data/schema/store/transactions-tables.ts';
import { paymentExtras, serializePayment, type PaymentRecord } from '../payments/schema.ts';
import { formatInstallments } from './installments.ts';
import { transactionFlags } from './transaction-states.ts';

/** The payment type; it is read with every transaction. */
export const transactionExtras = {
  payment: toOne(payments, eq(payments.id, transactions.payment_id), paymentExtras),
};

/** A transaction with its payment type. */
export type TransactionRecord = Row<typeof transactions> & {
  payment: { data: PaymentRecord | null };
};

/** Serializes a transaction, with the fields derived from its status, amounts and payment type. */
export function serializeTransaction<T extends TransactionRecord>(record: T) {
  const { payment, sent_to_antifraud, ...transaction } = record;
  // Never null: the payment types are created with the store and never deleted.
  const paymentType = payment.data as PaymentRecord;
  return {
    ...transaction,
    ...transactionFlags(transaction),
    installment_formated: formatInstallments(
      transaction.installments,
      transaction.installment_value,
    ),
    buyer_installment_formated: formatInstallments(
      transaction.installments,
      transaction.buyer_installment_value,
    ),
    sent_to_antifraud: sent_to_antifraud ? ('true' as const) : ('false' as const),
    payment: { data: serializePayment(paymentType) },
  };
}
