import { untilFresh } from '../db/fresh.ts';
import { insertionOf } from '../db/insertion-of.ts';
import { transactions } from '../db/schema/store.ts';
import { reservation } from '../db/sequences.ts';
import { lastOf } from '../db/statement.ts';
import type { StoreDb } from '../db/store.ts';
import { publish } from '../events/publish.ts';
import { conflict } from '../problem.ts';
import { newTransaction, storedTransaction, type PaymentChoice } from './new-transaction.ts';
import { opened, readingOrder } from './open-order.ts';
import { orderStep } from './order-step.ts';
import { readingTerms } from './payment-terms.ts';
import { presentTransaction, withPayment } from './transaction-reading.ts';

/** As many as an order shows with itself. */
const maxTransactions = 100;

/**
 * Adds a transaction to an order that waits for payment, or to a refused one, which waits again then and reserves its stock
 * anew. Two round trips. Throws 409 in every other state of the order and where the stock is gone, and an `InvalidBody` when
 * the store does not take the payment like that.
 */
export const addTransaction = (db: StoreDb, orderId: number, choice: PaymentChoice) =>
  untilFresh(async () => {
    const [found, skus, history, types, plan, affiliated, taken] = await db.batch([
      ...readingOrder(db, orderId),
      ...readingTerms(db, choice.payment_id, choice.affiliation_id),
      reservation(db, 'transactions', 1),
    ]);
    const open = opened(found, skus, history);
    if (!open) return undefined;
    const { order } = open;
    const earlier = order.transactions.data;
    const isRefused = order.status === 'refused';
    if (!isRefused && order.status !== 'waiting_payment') {
      throw conflict('order_not_payable', { status: [`The order is ${order.status}.`] });
    }
    if (earlier.length >= maxTransactions) throw conflict('too_many_transactions');
    const terms = { payment: types[0], plan, affiliation: affiliated[0] };
    const payable = {
      order_id: orderId,
      customer_id: order.customer_id,
      amount: order.value_total,
      isPaid: false,
    };
    const id = taken[0]?.last ?? 0;
    const stored = storedTransaction(db, id, newTransaction(db, payable, choice, terms), terms);
    const others = order.payments.filter((payment) => payment.id !== choice.payment_id);
    const named = [...others, ...types].toSorted((one, other) => one.id - other.id);
    const step = orderStep(db, open, {
      to: isRefused ? 'waiting_payment' : undefined,
      columns: { buyer_value_total: stored.buyer_amount },
      relations: { transactions: { data: [...earlier, stored] }, payments: named },
    });
    const results = await publish(
      db,
      [
        ...step.statements,
        insertionOf(db, transactions, stored),
        db.selectOne(transactions, id, withPayment),
      ],
      step.events,
    );
    return lastOf(results).map((row) => presentTransaction(row))[0];
  });
