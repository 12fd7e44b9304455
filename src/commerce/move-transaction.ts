import { and, eq } from 'drizzle-orm';
import { untilFresh } from '../db/fresh.ts';
import type { TransactionStatus } from '../db/schema/transactions.ts';
import { transactions } from '../db/schema/store.ts';
import { lastOf } from '../db/statement.ts';
import type { StoreDb } from '../db/store.ts';
import { publish } from '../events/publish.ts';
import { conflict } from '../problem.ts';
import { opened, readingOrderOf } from './open-order.ts';
import { orderAfter } from './order-after.ts';
import { orderStep } from './order-step.ts';
import { transactionArrows } from './transaction-arrows.ts';
import { enter } from './transaction-entry.ts';
import { refusedEvent } from './transaction-event.ts';
import { presentTransaction, withPayment, type ReadTransaction } from './transaction-reading.ts';

/** Where a transaction is to go, and what else becomes of it. */
interface Move {
  to: TransactionStatus;
  values?: Partial<
    Pick<
      ReadTransaction,
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
 * Moves a transaction along one arrow and its order with it, and tells of both. `decide` sees it as it is stored and says
 * where to; `undefined` leaves it. Two round trips. A forbidden arrow, and so whoever comes second, is 409
 * `transaction_status`, which names the allowed ones. Answers with the transaction, `undefined` when there is none.
 */
export const moveTransaction = (
  db: StoreDb,
  id: number,
  decide: (transaction: ReadTransaction) => Move | undefined,
) =>
  untilFresh(async () => {
    const [found, skus, history, cart] = await db.batch(readingOrderOf(db, id));
    const open = opened(found, skus, history);
    const before = open?.order.transactions.data.find((transaction) => transaction.id === id);
    if (!open || !before) return undefined;
    const move = decide(before);
    if (!move) return presentTransaction(before);
    if (!transactionArrows[before.status].includes(move.to)) throw forbiddenArrow(before.status);
    const changes = { ...enter(before, move.to, db.now), ...move.values };
    const after = { ...before, ...changes, updated_at: db.now };
    const { data } = open.order.transactions;
    const step = orderStep(db, open, {
      to: orderAfter(
        open.order,
        move.to,
        data.filter((transaction) => transaction.id !== id),
      ),
      relations: { transactions: { data: data.map((one) => (one.id === id ? after : one)) } },
    });
    const refused = move.to === 'refused' ? [refusedEvent(db, open.order, after, cart[0])] : [];
    const results = await publish(
      db,
      [
        ...step.statements,
        db.change(
          transactions,
          and(eq(transactions.id, id), eq(transactions.status, before.status)),
          changes,
        ),
        db.mustHaveChanged(),
        db.selectOne(transactions, id, withPayment),
      ],
      [...refused, ...step.events],
    );
    return lastOf(results).map((row) => presentTransaction(row))[0];
  });

/** The refusal of an arrow that a transaction may not take. */
function forbiddenArrow(status: TransactionStatus) {
  const next = transactionArrows[status];
  const sentence = next.length > 0 ? `May become ${next.join(' or ')}.` : 'No longer changes.';
  return conflict('transaction_status', { status: [`Is ${status}. ${sentence}`] });
}
