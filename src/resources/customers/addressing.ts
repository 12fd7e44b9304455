import { and, eq, sql } from 'drizzle-orm';
import { untilFresh } from '../../db/fresh.ts';
import { refuseIf } from '../../db/references.ts';
import { computedNumber } from '../../db/relations.ts';
import { addresses, customers } from '../../db/schema/store.ts';
import { reservation } from '../../db/sequences.ts';
import { stamps } from '../../db/stamps.ts';
import { lastOf } from '../../db/statement.ts';
import type { StoreDb } from '../../db/store.ts';
import { publish } from '../../events/publish.ts';
import type { AddressChanges, NewAddress } from '../shapes/address-request.ts';
import { addressErrors } from '../shapes/address-rules.ts';
import { refuseAnonymised } from './anonymised.ts';
import { addressCreated } from './address-created.ts';

/** An address is found only under its own customer. */
export const isOf = (customerId: number) => eq(addresses.customer_id, customerId);

/** Adds an address to a customer and tells of it. Two round trips. */
export const addAddress = (db: StoreDb, customerId: number, body: NewAddress) =>
  untilFresh(async () => {
    const [found, reserved] = await db.batch([
      db.selectOne(customers, customerId),
      reservation(db, 'addresses', 1),
    ]);
    if (!found[0]) return undefined;
    refuseAnonymised(found[0].anonymized);
    const id = reserved[0]?.last ?? 0;
    const values = { ...body, customer_id: customerId };
    const [, rows] = await publish(
      db,
      [db.must(isNamed(db, customerId)), db.insertion(addresses, values, id)],
      [addressCreated(db, { ...values, ...stamps(db, id) })],
    );
    return rows[0];
  });

/** Changes an address; it tells nobody. Two round trips. */
export const updateAddress = (
  db: StoreDb,
  { customerId, id }: { customerId: number; id: number },
  changes: AddressChanges,
) =>
  untilFresh(async () => {
    const before = await db.find(addresses, id, { is_anonymised: ofNobody }, isOf(customerId));
    if (!before) return undefined;
    refuseAnonymised(before.is_anonymised === 1);
    refuseIf(addressErrors({ ...before, ...changes }));
    const { zipcode, state, country } = addresses;
    const asRead = sql`exists (select 1 from ${addresses} where ${and(
      eq(addresses.id, id),
      sql`${zipcode} is ${before.zipcode}`,
      eq(state, before.state),
      eq(country, before.country),
    )})`;
    const results = await db.batch([
      db.must(isNamed(db, customerId)),
      db.must(asRead),
      db.change(addresses, eq(addresses.id, id), changes),
      db.selectOne(addresses, id),
    ]);
    return lastOf(results)[0];
  });

const ofNobody = computedNumber(
  sql`(select ${customers.anonymized} from ${customers} where ${customers.id} = ${addresses.customer_id})`,
);

/** Still there, and not anonymised since it was read. */
const isNamed = (db: StoreDb, id: number) => sql`exists (select 1 from ${customers}
  where ${customers.id} = ${id} and ${customers.store_id} = ${db.store.id} and ${customers.anonymized} = 0)`;
