import { customerCreated } from '../../commerce/customer-created.ts';
import { addresses, customers } from '../../db/schema/store.ts';
import { reservation } from '../../db/sequences.ts';
import { stamps } from '../../db/stamps.ts';
import type { StoreDb } from '../../db/store.ts';
import { publish } from '../../events/publish.ts';
import { addressCreated } from './address-created.ts';
import type { NewCustomer } from './requests.ts';

/**
 * Adds a customer with addresses and tells of each. Throws `InvalidBody` when the e-mail address is taken. Two
 * round trips.
 */
export async function createCustomer(db: StoreDb, body: NewCustomer) {
  const [customerIds, addressIds] = await db.batch([
    reservation(db, 'customers', 1),
    reservation(db, 'addresses', body.addresses.length),
  ]);
  const ids = { customer: customerIds[0]?.last ?? 0, lastAddress: addressIds[0]?.last ?? 0 };
  const { statements, events } = newCustomer(db, ids, body);
  const [rows] = await publish(db, statements, events);
  return rows[0];
}

/** The statements that add a customer and the events that tell of it, for a batch that may do more. */
export function newCustomer(
  db: StoreDb,
  { customer: id, lastAddress }: { customer: number; lastAddress: number },
  { addresses: sent, ...values }: NewCustomer,
) {
  const listed = sent.map((address, index) => ({
    ...address,
    customer_id: id,
    ...stamps(db, lastAddress - sent.length + 1 + index),
  }));
  return {
    statements: [
      db.insertion(customers, values, id),
      ...sent.map((address, index) =>
        db.insertion(addresses, { ...address, customer_id: id }, listed[index]?.id),
      ),
    ] as const,
    events: [
      customerCreated(db, {
        ...values,
        ...stamps(db, id),
        anonymized: false,
        addresses: { data: listed },
      }),
      ...listed.map((address) => addressCreated(db, address)),
    ],
  };
}
