import type * as z from 'zod';
import type { StoreDb } from '../db/store.ts';
import type { StoreEvent } from '../events/publish.ts';
import { CustomerEvent } from '../resources/shapes/customer.ts';
import { inZone } from '../wire/zone.ts';

/** The event of a new customer, who is shown with the addresses that came along. */
export const customerCreated = (
  db: StoreDb,
  customer: z.input<typeof CustomerEvent>,
): StoreEvent => ({
  name: 'customer.created',
  resource: inZone(db.store.zone, () => CustomerEvent.parse(customer)),
});
