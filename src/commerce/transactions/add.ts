import { conflict } from '../../base/errors.ts';
import { insertReservedStatement, reserveIds } from '../../data/core/reserved-ids.ts';
import { takeTurns } from '../../data/core/retry-contention.ts';
import { lastResult } from '../../data/core/statement.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { orders } from '../../data/schema/store/orders-tables.ts';
import { transactions } from '../../data/schema/store/transactions-tables.ts';
import { publish } from '../../webhooks/events/publish.ts';
import { toLoadedOrder, orderQueries } from '../orders/load-order.ts';
import { planOrderChange } from '../orders/plan-change.ts';
import { buildTransaction, toTransactionRecord, type PaymentChoice } from './new-transaction.ts';
import { paymentTermsQueries } from './payment-terms.ts';
import { serializeTransaction, transactionExtras } from './transaction-queries.ts';

/** The most transactions of an order: as many as its include shows. */
export const maxTransactions = 100;

/**
 * Adds a transaction to an order that is waiting for payment or refused. A refused order waits for payment again and
 * reserves its stock again. Two round trips. Throws 409 for any other status of the order and for insufficient stock.
 * Throws a `ValidationError` if the store does not accept this payment.
 */
export const addTransaction = (db: StoreDb, orderId: number, choice: PaymentChoice) =>
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
    const existing = order.transactions.data;
    const isRefused = order.status === 'refused';
    if (!isRefused && order.status !== 'waiting_payment') {
      throw conflict('order_not_payable', { status: [`The order is ${order.status}.`] });
    }
    if (existing.length >= maxTransactions) throw conflict('too_many_transactions');
    const terms = { payment: paymentTypes[0], plan, affiliation: affiliationRows[0] };
    const payable = {
      order_id: orderId,
      customer_id: order.customer_id,
      amount: order.value_total,
      isPaid: false,
    };
    const id = transactionIds[0]?.last ?? 0;
    const added = toTransactionRecord(db, id, buildTransaction(db, payable, choice, terms), terms);
    const others = order.payments.filter((payment) => payment.id !== choice.payment_id);
    const payments = [...others, ...paymentTypes].toSorted((one, other) => one.id - other.id);
    const plannedChange = planOrderChange(db, loaded, {
      to: isRefused ? 'waiting_payment' : undefined,
      columns: { buyer_value_total: added.buyer_amount },
      relations: { transactions: { data: [...existing, added] }, payments },
    });
    const results = await publish(
      db,
      [
        ...plannedChange.statements,
        insertReservedStatement(db, transactions, added),
        db.selectOne(transactions, id, transactionExtras),
      ],
      plannedChange.events,
    );
    return lastResult(results).map((row) => serializeTransaction(row))[0];
  });
