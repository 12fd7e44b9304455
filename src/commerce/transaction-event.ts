import type { StoreDb } from '../db/store.ts';
import type { StoreEvent } from '../events/publish.ts';
import { TransactionEvent } from '../resources/shapes/transaction.ts';
import { inZone } from '../wire/zone.ts';
import type { WholeOrder } from './order-reading.ts';
import { presentTransaction, type ReadTransaction } from './transaction-reading.ts';

/** The event of a refused transaction, which is shown with its payment, customer and cart. */
export function refusedEvent(
  db: StoreDb,
  { customer, cart_id, cart_token }: WholeOrder,
  transaction: ReadTransaction,
): StoreEvent {
  const cart = { data: cart_id === null ? null : { id: cart_id, token: cart_token } };
  const shown = { ...presentTransaction(transaction), customer, cart };
  const resource = inZone(db.store.zone, () => TransactionEvent.parse(shown));
  return { name: 'transaction.payment.refused', resource };
}
