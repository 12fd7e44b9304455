import {
  changeTransaction,
  payTransaction,
  refuseTransaction,
} from '../../commerce/transactions/commands.ts';
import type { StoreDb } from '../../db/core/store-db.ts';
import { assertTestStore } from '../../test-stores/assert-test-store.ts';

/** Simulates the reaction of a bank. Throws 403 outside test stores. */
export function simulateTransaction(
  db: StoreDb,
  id: number,
  outcome: 'authorize' | 'pay' | 'refuse',
) {
  assertTestStore(db.store, 'outcome');
  switch (outcome) {
    case 'authorize':
      return changeTransaction(db, id, ({ status }) =>
        status === 'authorized' ? undefined : { to: 'authorized' },
      );
    case 'pay':
      return payTransaction(db, id);
    case 'refuse':
      return refuseTransaction(db, id, { error_code: 51, error_message: 'Refused (simulated).' });
  }
}
