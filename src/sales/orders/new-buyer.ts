import { eq, sql } from 'drizzle-orm';
import { nameKey } from '../../base/codecs/fields/normalize-text.ts';
import { baseColumns } from '../../data/core/reserved-ids.ts';
import type { Statement } from '../../data/core/statement.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { Row } from '../../data/core/store-table.ts';
import { customers } from '../../data/schema/store/customers-tables.ts';
import type { StoreEvent } from '../../webhooks/events/publish.ts';
import { toCustomerCreatedEvent } from '../created-event.ts';

/** A buyer who becomes a customer unless the store knows the e-mail address. */
export type NewBuyer = Pick<
  Row<typeof customers>,
  'first_name' | 'last_name' | 'type' | 'cpf' | 'cnpj' | 'phone'
> & { email: string };

/** Statements and events that go first in the batch of an order. */
export interface OrderPrerequisites {
  statements: readonly Statement[];
  events: readonly StoreEvent[];
  /** The customer of the order, if these statements insert it. */
  customer: Row<typeof customers> | undefined;
}

export const noPrerequisites: OrderPrerequisites = {
  statements: [],
  events: [],
  customer: undefined,
};

/** Finds the customer of a store with an e-mail address. */
export const customerByEmailQuery = (db: StoreDb, email: string) =>
  db.select(customers, { where: eq(customers.email_key, nameKey(email)) });

/**
 * Plans the insert of a buyer as a customer with a reserved id, and its `customer.created`. The
 * batch fails with a `ConflictError` if a customer of the store already has the e-mail address.
 */
export function planNewBuyer(db: StoreDb, id: number, buyer: NewBuyer): OrderPrerequisites {
  const values = { ...buyer, anonymized: false };
  const inserted = { ...values, ...baseColumns(db, id) };
  const isTaken = sql`exists (select 1 from ${customers}
    where ${customers.store_id} = ${db.store.id} and ${eq(customers.email_key, nameKey(buyer.email))})`;
  return {
    statements: [db.assert(sql`not ${isTaken}`), db.insertStatement(customers, values, id)],
    events: [toCustomerCreatedEvent(db, { ...inserted, addresses: { data: [] } })],
    // A generated column; an order never reads it.
    customer: { ...inserted, full_name: null },
  };
}
