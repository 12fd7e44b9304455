import { formatNumber } from '../../base/codecs/field-messages.ts';
import { conflict, ValidationError } from '../../base/errors.ts';
import { insertReservedStatement, reserveIds } from '../../data/core/reserved-ids.ts';
import { takeTurns } from '../../data/core/retry-contention.ts';
import { lastResult } from '../../data/core/statement.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { orders } from '../../data/schema/store/orders-tables.ts';
import { transactions } from '../../data/schema/store/transactions-tables.ts';
import { publish } from '../../webhooks/events/publish.ts';
import { toLoadedOrder, orderQueries } from '../orders/load-order.ts';
import type { FullOrder } from '../orders/order-queries.ts';
import { planOrderChange } from '../orders/plan-change.ts';
import { buildTransaction, toTransactionRecord, type PaymentChoice } from './new-transaction.ts';
import { paymentTermsQueries } from './payment-terms.ts';
import { planUnpaidCancellation } from './status-columns.ts';
import { serializeTransaction, transactionExtras } from './transaction-queries.ts';
import { amountIn, assuredTransactionStatuses, buyerTotalAfter } from './transaction-states.ts';

/** The most transactions of an order: as many as its include shows. */
export const maxTransactions = 100;

/**
 * Adds a transaction to an order that is waiting for payment or refused: of `amount` cents, else of
 * all that is left of the total. Cancels those that wait for payment if they leave too little for
 * it. A refused order waits for payment again and reserves its stock again. Two round trips. Throws
 * 409 for any other status of the order, if nothing is left, and for insufficient stock. Throws a
 * `ValidationError` if the store does not accept this payment, or for more than is left.
 */
export const addTransaction = (
  db: StoreDb,
  orderId: number,
  { amount: requested, ...choice }: PaymentChoice & { amount?: number | undefined },
) =>
  takeTurns(db, [orders, orderId], async () => {
    const [orderRows, skus, statusChangeIds, paymentTypes, plan, affiliationRows, transactionIds] =
      await db.batch([
        ...orderQueries(db, orderId),
        ...paymentTermsQueries(db, choice.payment_id, choice.affiliation_id),
        reserveIds(db, 1),
      ]);
    const loaded = toLoadedOrder(orderRows, skus, statusChangeIds);
    if (!loaded) return undefined;
    const { order } = loaded;
    const isRefused = order.status === 'refused';
    if (!isRefused && order.status !== 'waiting_payment') {
      throw conflict('order_not_payable', { status: [`The order is ${order.status}.`] });
    }
    if (order.transactions.data.length >= maxTransactions) throw conflict('too_many_transactions');
    const { amount, free } = shareOf(order, requested);
    const cancellation =
      amount > free ? planUnpaidCancellation(db, order, ['waiting_payment']) : undefined;
    const terms = { payment: paymentTypes[0], plan, affiliation: affiliationRows[0] };
    const payable = {
      order_id: orderId,
      customer_id: order.customer_id,
      amount,
      isPaid: false,
    };
    const id = transactionIds[0]?.last ?? 0;
    const added = toTransactionRecord(db, id, buildTransaction(db, payable, choice, terms), terms);
    const others = order.payments.filter((payment) => payment.id !== choice.payment_id);
    const payments = [...others, ...paymentTypes].toSorted((one, other) => one.id - other.id);
    const data = [...(cancellation?.transactions ?? order.transactions).data, added];
    const plannedChange = planOrderChange(db, loaded, {
      to: isRefused ? 'waiting_payment' : undefined,
      columns: { buyer_value_total: buyerTotalAfter(order, data) },
      relations: { transactions: { data }, payments },
    });
    const results = await publish(
      db,
      [
        ...plannedChange.statements,
        ...(cancellation ? [cancellation.statement] : []),
        insertReservedStatement(db, transactions, added),
        db.selectOne(transactions, id, transactionExtras),
      ],
      plannedChange.events,
    );
    return lastResult(results).map((row) => serializeTransaction(row))[0];
  });

/**
 * Returns the cents that a new transaction takes, and those that no live one covers. Throws 409 if
 * authorized and captured transactions cover the total, and a `ValidationError` if they leave less
 * than `requested`.
 */
function shareOf({ value_total, transactions: { data } }: FullOrder, requested?: number) {
  const left = value_total - amountIn(assuredTransactionStatuses, data);
  if (left === 0 && value_total > 0) {
    const total = formatNumber(value_total / 100);
    throw conflict('order_not_payable', {
      amount: [`Authorized and captured transactions cover the total of ${total}.`],
    });
  }
  const amount = requested ?? left;
  if (amount > left) {
    const most = formatNumber(left / 100);
    throw new ValidationError({
      amount: [`Must be at most ${most}: other transactions cover the rest of the total.`],
    });
  }
  return { amount, free: left - amountIn(['waiting_payment'], data) };
}
