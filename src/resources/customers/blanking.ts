import { eq, inArray, sql } from 'drizzle-orm';
import {
  addresses,
  carts,
  customers,
  orderAddresses,
  orders,
  transactions,
} from '../../db/schema/store.ts';
import type { StoreDb } from '../../db/store.ts';

/** What tells who lives where; the state and the country stay, for taxes and figures. */
const noPlace = {
  receiver: null,
  zipcode: null,
  street: null,
  number: null,
  complement: null,
  neighborhood: null,
  city: null,
} as const;

const nobody = {
  email: null,
  first_name: null,
  last_name: null,
  cpf: null,
  cnpj: null,
  phone: null,
  anonymized: true,
} as const;

/** Who paid, and the links that lead to a billet with a name on it. */
const noPayer = {
  holder_name: null,
  holder_document: null,
  truncated_card: null,
  billet_url: null,
  billet_whatsapp_link: null,
} as const;

/**
 * The statements that anonymise a customer: everything personal becomes null in the record, in its addresses and
 * in the copies that orders and transactions keep.
 */
export function blanking(db: StoreDb, id: number) {
  const ordered = sql`(select ${orders.id} from ${orders}
    where ${orders.store_id} = ${db.store.id} and ${orders.customer_id} = ${id})`;
  return [
    db.change(customers, eq(customers.id, id), nobody),
    db.change(addresses, eq(addresses.customer_id, id), noPlace),
    db.change(orderAddresses, inArray(orderAddresses.order_id, ordered), noPlace),
    db.change(transactions, eq(transactions.customer_id, id), noPayer),
  ];
}

/**
 * The statement that takes a customer out of the carts that were left as a guest. Before the customer's own address is
 * gone.
 */
export function blankingOfCarts(db: StoreDb, id: number) {
  const key = sql`(select ${customers.email_key} from ${customers}
    where ${customers.store_id} = ${db.store.id} and ${customers.id} = ${id})`;
  return db.change(carts, eq(carts.email_key, key), { name: null, email: null, phone: null });
}
