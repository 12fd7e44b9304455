import type { StoreDb } from '../db/store.ts';
import { conflict, InvalidBody } from '../problem.ts';
import { moveTransaction } from './move-transaction.ts';
import type { ReadTransaction } from './transaction-reading.ts';

/**
 * Takes the money of an authorized transaction, or `amount` cents of it; the order becomes paid. Any other state, the one
 * after another capture included, is 409; an amount above the authorized one is an `InvalidBody`.
 */
export const captureTransaction = (db: StoreDb, id: number, amount?: number) =>
  moveTransaction(db, id, (transaction) => {
    if (transaction.status !== 'authorized') {
      throw conflict('transaction_status', {
        status: [`Is ${transaction.status}, not authorized.`],
      });
    }
    if (amount !== undefined && amount > transaction.amount) {
      throw new InvalidBody({ amount: ['Must be at most the amount of the transaction.'] });
    }
    return { to: 'paid', values: amount === undefined ? {} : share(transaction, amount) };
  });

/** The amounts of a part of what was authorized, with the same share of the interest. */
function share(
  { amount: whole, buyer_amount: buyer, installments }: ReadTransaction,
  amount: number,
) {
  const buyer_amount = whole === 0 ? amount : Math.round((buyer * amount) / whole);
  return {
    amount,
    buyer_amount,
    installment_value: Math.ceil(amount / installments),
    buyer_installment_value: Math.ceil(buyer_amount / installments),
  };
}
