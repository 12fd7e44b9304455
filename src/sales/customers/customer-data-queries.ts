import { sql, type SQL } from 'drizzle-orm';
import { rawStatement } from '../../data/core/raw.ts';
import type { StoreDb } from '../../data/core/store-db.ts';

/** The kinds of records that a store may have about a customer, by table. */
export const customerTables = [
  'customers',
  'addresses',
  'carts',
  'cart_items',
  'orders',
  'order_addresses',
  'order_items',
  'order_statuses',
  'invoices',
  'transactions',
  'product_comments',
] as const;

export type CustomerTable = (typeof customerTables)[number];

/** A row as the database returns it. */
type CustomerRow = Record<string, string | number | null>;

/**
 * Selects the records of a store about a customer, one statement for each of these tables. Carts
 * and comments that the customer created as a guest are found by the e-mail address. Each reads an
 * index of its table, that of carts all carts of the store, and at most `limit` records.
 */
export function selectCustomerData(
  db: StoreDb,
  id: number,
  tables: readonly CustomerTable[],
  limit: number,
) {
  const store = db.store.id;
  const customer = (column: SQL) =>
    sql`(select ${column} from customers where store_id = ${store} and id = ${id})`;
  const orders = sql`(select id from orders where store_id = ${store} and customer_id = ${id})`;
  const carts = sql`(select id from carts where store_id = ${store} and (customer_id = ${id}
    or (customer_id is null and email_key = ${customer(sql`email_key`)})))`;
  // Beside a plain condition on the store, SQLite would read all invoices and payments of the
  // store.
  const ofOrders = sql`+store_id = ${store} and order_id in ${orders}`;
  const conditions: Record<CustomerTable, SQL> = {
    customers: sql`store_id = ${store} and id = ${id}`,
    addresses: sql`store_id = ${store} and customer_id = ${id}`,
    carts: sql`store_id = ${store} and id in ${carts}`,
    cart_items: sql`store_id = ${store} and cart_id in ${carts}`,
    orders: sql`store_id = ${store} and customer_id = ${id}`,
    order_addresses: ofOrders,
    order_items: ofOrders,
    order_statuses: ofOrders,
    invoices: ofOrders,
    transactions: ofOrders,
    product_comments: sql`store_id = ${store} and email_folded = ${customer(sql`email_folded`)}`,
  };
  return tables.map((table) =>
    rawStatement<CustomerRow>(
      db,
      sql`select * from ${sql.identifier(table)} where ${conditions[table]} order by id limit ${limit}`,
    ),
  );
}
