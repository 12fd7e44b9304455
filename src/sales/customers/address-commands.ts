import { eq, sql } from 'drizzle-orm';
import type * as z from 'zod';
import { runInZone } from '../../base/codecs/fields/zone.ts';
import { reserveIds, baseColumns } from '../../data/core/reserved-ids.ts';
import { retryOnConflict, retryInTurns } from '../../data/core/retry-contention.ts';
import { lastResult } from '../../data/core/statement.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { throwIfInvalid } from '../../data/queries/references.ts';
import { computedNumber } from '../../data/queries/relations.ts';
import { assertOthersUnchanged } from '../../data/queries/revision.ts';
import { addresses, customers } from '../../data/schema/store/customers-tables.ts';
import { publish, type StoreEvent } from '../../webhooks/events/publish.ts';
import { type AddressChanges, type NewAddress, validateAddress } from '../address-request.ts';
import { assertNotAnonymized } from './rules.ts';
import { AddressSchema } from './schema.ts';

export const belongsToCustomer = (customerId: number) => eq(addresses.customer_id, customerId);

/** Creates an address of a customer and publishes its event. Two round trips. */
export const createAddress = (db: StoreDb, customerId: number, body: NewAddress) =>
  retryOnConflict(async () => {
    const [found, reserved] = await db.batch([
      db.selectOne(customers, customerId),
      reserveIds(db, 1),
    ]);
    if (!found[0]) return undefined;
    assertNotAnonymized(found[0].anonymized);
    const id = reserved[0]?.last ?? 0;
    const values = { ...body, customer_id: customerId };
    const [, rows] = await publish(
      db,
      [db.assert(isActiveCustomer(db, customerId)), db.insertStatement(addresses, values, id)],
      [toAddressCreatedEvent(db, { ...values, ...baseColumns(db, id) })],
    );
    return rows[0];
  });

/** Updates an address without an event. Two round trips. */
export const updateAddress = (
  db: StoreDb,
  { customerId, id }: { customerId: number; id: number },
  changes: AddressChanges,
) =>
  retryInTurns(db, [addresses, id], async () => {
    const before = await db.find(
      addresses,
      id,
      { is_anonymized: isOwnerAnonymized },
      belongsToCustomer(customerId),
    );
    if (!before) return undefined;
    assertNotAnonymized(before.is_anonymized === 1);
    throwIfInvalid(validateAddress({ ...before, ...changes }));
    const results = await db.batch([
      db.assert(isActiveCustomer(db, customerId)),
      ...assertOthersUnchanged(db, addresses, before, changes, ['zipcode', 'state', 'country']),
      db.updateStatement(addresses, eq(addresses.id, id), changes),
      db.selectOne(addresses, id),
    ]);
    return lastResult(results)[0];
  });

const isOwnerAnonymized = computedNumber(
  sql`(select ${customers.anonymized} from ${customers} where ${customers.id} = ${addresses.customer_id})`,
);

/** SQL condition: the store still has the customer, who was not anonymised meanwhile. */
const isActiveCustomer = (db: StoreDb, id: number) => sql`exists (select 1 from ${customers}
  where ${customers.id} = ${id} and ${customers.store_id} = ${db.store.id} and ${customers.anonymized} = 0)`;

export const toAddressCreatedEvent = (
  db: StoreDb,
  address: z.input<typeof AddressSchema>,
): StoreEvent => ({
  name: 'customer.address.created',
  resource: runInZone(db.store.zone, () => AddressSchema.parse(address)),
});
