import { eq, sql } from 'drizzle-orm';
import { nameKey } from '../base/codecs/fields/normalize-text.ts';
import { baseColumns } from '../data/core/reserved-ids.ts';
import type { StoreDb } from '../data/core/store-db.ts';
import { customers } from '../data/schema/store/customers-tables.ts';
import { toCustomerCreatedEvent } from './created-event.ts';
import type { OrderPrerequisites } from './orders/place-order.ts';

/** A buyer without a customer account. */
interface Guest {
  name: string;
  email: string;
  phone: string | null;
}

/** The longest first or last name of a customer. */
const maxNameLength = 100;

/** The first word becomes the first name, the rest the last name. */
function splitName(name: string) {
  const [first = '', ...others] = name.split(' ');
  const last = others.join(' ').slice(0, maxNameLength);
  return { first_name: first.slice(0, maxNameLength), last_name: last === '' ? null : last };
}

/**
 * Plans the insert of a guest as a customer with a reserved id, and its `customer.created`. The batch fails with a
 * `ConflictError` if a customer of the store already has the e-mail address.
 */
export function planGuestCustomer(db: StoreDb, id: number, guest: Guest): OrderPrerequisites {
  const { name, email, phone } = guest;
  const values = {
    ...splitName(name),
    email,
    phone,
    type: 'f',
    cpf: null,
    cnpj: null,
    anonymized: false,
  } as const;
  const inserted = { ...values, ...baseColumns(db, id) };
  const isTaken = sql`exists (select 1 from ${customers}
    where ${customers.store_id} = ${db.store.id} and ${eq(customers.email_key, nameKey(email))})`;
  return {
    statements: [db.assert(sql`not ${isTaken}`), db.insertStatement(customers, values, id)],
    events: [toCustomerCreatedEvent(db, { ...inserted, addresses: { data: [] } })],
    // Generated columns; an order never reads them.
    customer: {
      ...inserted,
      email_key: null,
      email_folded: null,
      first_name_folded: null,
      last_name_folded: null,
      full_name: null,
    },
  };
}
