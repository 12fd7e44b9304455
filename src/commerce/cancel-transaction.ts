import type { StoreDb } from '../db/store.ts';
import { moveTransaction } from './move-transaction.ts';

/**
 * Cancels a transaction that is not paid, and refunds one that is. With the last live transaction the order is cancelled
 * too. In any other state, and so after another cancellation, it is 409.
 */
export const cancelTransaction = (db: StoreDb, id: number) =>
  moveTransaction(db, id, ({ status }) => ({ to: status === 'paid' ? 'refunded' : 'cancelled' }));
