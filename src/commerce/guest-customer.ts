import { eq, sql } from 'drizzle-orm';
import { customers } from '../db/schema/store.ts';
import { stamps } from '../db/stamps.ts';
import type { StoreDb } from '../db/store.ts';
import { nameKey } from '../wire/fold.ts';
import { customerCreated } from './customer-created.ts';
import type { BeforeOrder } from './place-order.ts';

/** Who buys without an account. */
interface Guest {
  name: string;
  email: string;
  phone: string | null;
}

/** As long as the names of a customer may be. */
const most = 100;

/** The first word is the first name, the others are the last name. */
function namesOf(name: string) {
  const [first = '', ...others] = name.split(' ');
  const last = others.join(' ').slice(0, most);
  return { first_name: first.slice(0, most), last_name: last === '' ? null : last };
}

/**
 * The statements that make a customer of a guest, under a reserved id, and the event that tells of it. They count only
 * while nobody in the store has the e-mail address, else they end in a `StaleRevision`.
 */
export function guestCustomer(db: StoreDb, id: number, guest: Guest): BeforeOrder {
  const { name, email, phone } = guest;
  const values = {
    ...namesOf(name),
    email,
    phone,
    type: 'f',
    cpf: null,
    cnpj: null,
    anonymized: false,
  } as const;
  const shown = { ...values, ...stamps(db, id) };
  const isTaken = sql`exists (select 1 from ${customers}
    where ${customers.store_id} = ${db.store.id} and ${eq(customers.email_key, nameKey(email))})`;
  return {
    statements: [db.must(sql`not ${isTaken}`), db.insertion(customers, values, id)],
    events: [customerCreated(db, { ...shown, addresses: { data: [] } })],
    // What follows from another column is never read of it.
    customer: {
      ...shown,
      email_key: null,
      email_folded: null,
      first_name_folded: null,
      last_name_folded: null,
      full_name: null,
    },
  };
}
