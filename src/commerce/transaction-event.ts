import type { StoreDb } from '../db/store.ts';
import type { StoreEvent } from '../events/publish.ts';
import { TransactionEvent } from '../resources/shapes/transaction.ts';
import { inZone } from '../wire/zone.ts';
import { presentCart, type WholeCart } from './cart-reading.ts';
import type { WholeOrder } from './order-reading.ts';
import { presentTransaction, type ReadTransaction } from './transaction-reading.ts';

/** The event of a refused transaction, which is shown with its payment, customer and cart. */
export function refusedEvent(
  db: StoreDb,
  { customer }: WholeOrder,
  transaction: ReadTransaction,
  cart: WholeCart | undefined,
): StoreEvent {
  const shown = {
    ...presentTransaction(transaction),
    customer,
    cart: { data: cart ? presentCart(db.store, cart) : null },
  };
  const resource = inZone(db.store.zone, () => TransactionEvent.parse(shown));
  return { name: 'transaction.payment.refused', resource };
}
