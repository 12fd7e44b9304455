import type * as z from 'zod';
import { runInZone } from '../base/codecs/fields/zone.ts';
import { compileSerializer } from '../base/codecs/serializer.ts';
import type { StoreDb } from '../data/core/store-db.ts';
import type { StoreEvent } from '../webhooks/events/publish.ts';
import { CustomerEventSchema } from './customers/schema.ts';

const serializeEvent = compileSerializer(CustomerEventSchema);

/** Returns the event of a new customer; its resource holds the addresses. */
export const toCustomerCreatedEvent = (
  db: StoreDb,
  customer: z.input<typeof CustomerEventSchema>,
): StoreEvent => ({
  name: 'customer.created',
  resource: runInZone(db.store.zone, () => serializeEvent(customer)),
});
