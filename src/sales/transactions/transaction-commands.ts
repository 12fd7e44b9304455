import { and, eq } from 'drizzle-orm';
import { runInZone } from '../../base/codecs/fields/zone.ts';
import { compileSerializer } from '../../base/codecs/serializer.ts';
import { conflict, ValidationError } from '../../base/errors.ts';
import { takeTurns } from '../../data/core/retry-contention.ts';
import { lastResult } from '../../data/core/statement.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { orders } from '../../data/schema/store/orders-tables.ts';
import { transactions } from '../../data/schema/store/transactions-tables.ts';
import type { TransactionStatus } from '../../data/schema/store/transactions-tables.ts';
import { publish, type StoreEvent } from '../../webhooks/events/publish.ts';
import { serializeCart, type FullCart } from '../carts/cart-queries.ts';
import { toLoadedOrder, orderOfTransactionQueries } from '../orders/load-order.ts';
import type { FullOrder } from '../orders/order-queries.ts';
import { planOrderChange } from '../orders/plan-change.ts';
import { TransactionEventSchema } from './schema.ts';
import { statusColumns } from './status-columns.ts';
import {
  serializeTransaction,
  transactionExtras,
  type TransactionRecord,
} from './transaction-queries.ts';
import { buyerTotalAfter, orderStatusAfter, transactionTransitions } from './transaction-states.ts';

const serializeEvent = compileSerializer(TransactionEventSchema);

/** The next status of a transaction and further columns to set. */
interface TransactionChange {
  to: TransactionStatus;
  values?: Partial<
    Pick<
      TransactionRecord,
      | 'amount'
      | 'buyer_amount'
      | 'installment_value'
      | 'buyer_installment_value'
      | 'error_code'
      | 'error_message'
    >
  >;
}

/**
 * Takes one transition of a transaction, moves its order with it, and publishes the events of both.
 * `decide` gets the stored transaction; if it returns `undefined`, nothing changes. Two round
 * trips.
 *
 * Throws 409 `transaction_status` with the allowed statuses for an invalid transition, also after a
 * lost race. Returns `undefined` if the store has no such transaction.
 */
export const changeTransaction = (
  db: StoreDb,
  id: number,
  decide: (transaction: TransactionRecord) => TransactionChange | undefined,
) =>
  takeTurns(db, [transactions, id], async (_attempt, contest) => {
    const [orderRows, skus, statusChangeIds, cartRows] = await db.batch(
      orderOfTransactionQueries(db, id),
    );
    const loaded = toLoadedOrder(orderRows, skus, statusChangeIds);
    const before = loaded?.order.transactions.data.find((transaction) => transaction.id === id);
    if (!loaded || !before) return undefined;
    contest(orders, loaded.order.id);
    const change = decide(before);
    if (!change) return serializeTransaction(before);
    if (!transactionTransitions[before.status].includes(change.to)) {
      throw invalidTransactionTransition(before.status);
    }
    const columns = { ...statusColumns(before, change.to, db.now), ...change.values };
    const after = { ...before, ...columns, updated_at: db.now };
    const { order } = loaded;
    const data = order.transactions.data.map((other) => (other.id === id ? after : other));
    const plan = planOrderChange(db, loaded, {
      to: orderStatusAfter(order, change.to, data),
      columns: { buyer_value_total: buyerTotalAfter(order, data) },
      relations: { transactions: { data } },
    });
    const refusedEvents =
      change.to === 'refused' ? [toPaymentRefusedEvent(db, order, after, cartRows[0])] : [];
    const results = await publish(
      db,
      [
        ...plan.statements,
        db.updateStatement(
          transactions,
          and(eq(transactions.id, id), eq(transactions.status, before.status)),
          columns,
        ),
        db.assertChanged(),
        db.selectOne(transactions, id, transactionExtras),
      ],
      [...refusedEvents, ...plan.events],
    );
    return lastResult(results).map((row) => serializeTransaction(row))[0];
  });

/** The error of an invalid transition; its message lists the allowed statuses. */
function invalidTransactionTransition(status: TransactionStatus) {
  const next = transactionTransitions[status];
  const rule = next.length > 0 ? `can become ${next.join(' or ')}` : 'can no longer change';
  return conflict('transaction_status', {
    status: [`The transaction is ${status} and ${rule}.`],
  });
}

/**
 * Returns the event of a refused transaction; its resource holds the payment, the customer and the
 * cart.
 */
function toPaymentRefusedEvent(
  db: StoreDb,
  { customer }: FullOrder,
  transaction: TransactionRecord,
  cart: FullCart | undefined,
): StoreEvent {
  const input = {
    ...serializeTransaction(transaction),
    customer,
    cart: { data: cart ? serializeCart(db.store, cart) : null },
  };
  const resource = runInZone(db.store.zone, () => serializeEvent(input));
  return { name: 'transaction.payment.refused', resource };
}

/**
 * Cancels an unpaid transaction or refunds a paid one. The last live transaction cancels its order
 * too. Throws 409 for a transaction that has ended.
 */
export const cancelTransaction = (db: StoreDb, id: number) =>
  changeTransaction(db, id, ({ status }) => ({ to: status === 'paid' ? 'refunded' : 'cancelled' }));

/**
 * Captures an authorized transaction, or `amount` cents of it, at least one; captures of its total
 * make an order paid. Throws 409 unless the transaction is authorized, and a `ValidationError` if
 * `amount` exceeds the authorized amount.
 */
export const captureTransaction = (db: StoreDb, id: number, amount?: number) =>
  changeTransaction(db, id, (transaction) => {
    if (transaction.status !== 'authorized') {
      throw conflict('transaction_status', {
        status: [`The transaction is ${transaction.status}, not authorized.`],
      });
    }
    if (amount !== undefined && amount > transaction.amount) {
      throw new ValidationError({ amount: ['Must not exceed the amount of the transaction.'] });
    }
    return {
      to: 'paid',
      values: amount === undefined ? {} : partialCaptureAmounts(transaction, amount),
    };
  });

/**
 * Amounts of a partial capture in cents; the buyer pays the same share of interest as on the whole.
 */
function partialCaptureAmounts(
  { amount: authorized, buyer_amount: authorizedOfBuyer, installments }: TransactionRecord,
  amount: number,
) {
  const buyer_amount = Math.round((authorizedOfBuyer * amount) / authorized);
  return {
    amount,
    buyer_amount,
    installment_value: Math.ceil(amount / installments),
    buyer_installment_value: Math.ceil(buyer_amount / installments),
  };
}

/**
 * Records that the money of the whole transaction has arrived. Throws 409 for any other transition.
 */
export const payTransaction = (db: StoreDb, id: number) =>
  changeTransaction(db, id, () => ({ to: 'paid' }));

/**
 * Records that the bank or the antifraud service refused the payment, and publishes
 * `transaction.payment.refused`. The last live transaction refuses its order too. Throws 409 for a
 * transaction that is paid or has ended.
 */
export const refuseTransaction = (
  db: StoreDb,
  id: number,
  reason: { error_code: number; error_message: string },
) => changeTransaction(db, id, () => ({ to: 'refused', values: reason }));

/**
 * Processes a transaction whose `due_at` has passed: captures it if authorized, cancels it if still
 * waiting for payment. Idempotent: a transaction that is no longer due stays unchanged.
 */
export const processDueTransaction = (db: StoreDb, id: number) =>
  changeTransaction(db, id, ({ status, due_at }) => {
    if (due_at === null || due_at > db.now) return undefined;
    if (status === 'authorized') return { to: 'paid' };
    return status === 'waiting_payment' ? { to: 'cancelled' } : undefined;
  });
