import type { StoreDb } from '../db/store.ts';
import { moveTransaction } from './move-transaction.ts';

/**
 * The bank or the antifraud service says no: the transaction is refused for the reason given and told of, and the order is
 * refused with its last live transaction. A transaction that is paid or over already is 409.
 */
export const refuseTransaction = (
  db: StoreDb,
  id: number,
  reason: { error_code: number; error_message: string },
) => moveTransaction(db, id, () => ({ to: 'refused', values: reason }));
