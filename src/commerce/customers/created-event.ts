import type * as z from 'zod';
import { compileSerializer } from '../../codecs/serializer.ts';
import { runInZone } from '../../codecs/time/zone.ts';
import type { StoreDb } from '../../db/core/store-db.ts';
import type { StoreEvent } from '../../events/publish.ts';
import { CustomerEventSchema } from '../../schemas/checkout/customer.ts';

const serializeEvent = compileSerializer(CustomerEventSchema);

/** Returns the event of a new customer; its resource holds the addresses. */
export const toCustomerCreatedEvent = (
  db: StoreDb,
  customer: z.input<typeof CustomerEventSchema>,
): StoreEvent => ({
  name: 'customer.created',
  resource: runInZone(db.store.zone, () => serializeEvent(customer)),
});
