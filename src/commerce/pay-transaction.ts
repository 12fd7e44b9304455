import type { StoreDb } from '../db/store.ts';
import { moveTransaction } from './move-transaction.ts';

/** The money of a pix, a billet or a card has come: the transaction is paid, and its order with it. Otherwise 409. */
export const payTransaction = (db: StoreDb, id: number) =>
  moveTransaction(db, id, () => ({ to: 'paid' }));
