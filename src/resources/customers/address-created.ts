import type * as z from 'zod';
import type { StoreDb } from '../../db/store.ts';
import type { StoreEvent } from '../../events/publish.ts';
import { inZone } from '../../wire/zone.ts';
import { Address } from '../shapes/customer.ts';

/** The event of a new address. */
export const addressCreated = (db: StoreDb, address: z.input<typeof Address>): StoreEvent => ({
  name: 'customer.address.created',
  resource: inZone(db.store.zone, () => Address.parse(address)),
});
