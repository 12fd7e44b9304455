import type { StoreDb } from '../db/store.ts';
import { moveTransaction } from './move-transaction.ts';

/**
 * What a timer does with a transaction whose `due_at` has come: an authorized one is captured, one that waits for payment
 * is cancelled, with its order if it was the last one. One that is not due, because somebody was faster, stays as it is:
 * to run twice does nothing.
 */
export const settleDueTransaction = (db: StoreDb, id: number) =>
  moveTransaction(db, id, ({ status, due_at }) => {
    if (due_at === null || due_at > db.now) return undefined;
    if (status === 'authorized') return { to: 'paid' };
    return status === 'waiting_payment' ? { to: 'cancelled' } : undefined;
  });
