import { eq, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import { one } from '../db/relations.ts';
import { payments, transactions } from '../db/schema/store.ts';
import type { Row } from '../db/table.ts';
import {
  paymentExtras,
  presentPayment,
  type ReadPayment,
} from '../resources/shapes/payment-reading.ts';
import { installmentWords } from './installment-words.ts';
import { transactionFlags } from './transaction-arrows.ts';

/** The payment type, which is always read with a transaction. */
export const withPayment = {
  payment: one(payments, eq(payments.id, transactions.payment_id), paymentExtras),
};

/** The same, for a transaction that is itself read as the relation of an order. */
export const withNestedPayment = {
  payment: sql`json_object('data', json(${withPayment.payment}))` as SQL<{
    data: ReadPayment | null;
  }>,
};

/** A transaction as it was read with its payment type. */
export type ReadTransaction = Row<typeof transactions> & { payment: { data: ReadPayment | null } };

/** Adds what follows from the state, the amounts and the payment type. */
export function presentTransaction<T extends ReadTransaction>(read: T) {
  const { payment, sent_to_antifraud, ...transaction } = read;
  // Payment types are made with the store and never removed (contract 3.11).
  const type = payment.data as ReadPayment;
  return {
    ...transaction,
    ...transactionFlags(transaction),
    installment_formated: installmentWords(transaction.installments, transaction.installment_value),
    buyer_installment_formated: installmentWords(
      transaction.installments,
      transaction.buyer_installment_value,
    ),
    sent_to_antifraud: String(sent_to_antifraud),
    payment: { data: presentPayment(type) },
  };
}
