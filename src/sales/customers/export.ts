import * as z from 'zod';
import { flatJson } from '../../base/codecs/flat-json.ts';
import { writtenOutside } from '../../base/codecs/written-outside.ts';
import { answerTooLarge, maxAnswerBytes } from '../../base/errors.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { Scope } from '../../data/grants/scopes.ts';
import { recordOfTable } from '../../data/queries/export-tables.ts';
import type { Principal } from '../../http/access/principal.ts';
import { customerTables, selectCustomerData, type CustomerTable } from './customer-data-queries.ts';

/** The scope that an app needs to read records of a kind elsewhere, and so here. */
const scopesOfTables: Record<CustomerTable, Scope> = {
  customers: 'customers.read',
  addresses: 'customers.read',
  carts: 'carts.read',
  cart_items: 'carts.read',
  orders: 'orders.read',
  order_addresses: 'orders.read',
  order_items: 'orders.read',
  order_statuses: 'orders.read',
  invoices: 'invoices.read',
  transactions: 'transactions.read',
  product_comments: 'comments.read',
};

/** Records of a kind; more would not fit into a response. */
const maxRecords = 1_000;

const record = writtenOutside(z.record(z.string(), flatJson));

const listOf = (what: string) => z.array(record).describe(`${what} As in an export of a store.`);

/** All data that a store keeps about a customer. */
export const CustomerExportSchema = z
  .object({
    customers: listOf('The customer.'),
    addresses: listOf('Addresses of the customer.'),
    carts: listOf('Carts of the customer, also those left as a guest.'),
    cart_items: listOf('Items of these carts.'),
    orders: listOf('Orders of the customer.'),
    order_addresses: listOf('Shipping addresses of these orders.'),
    order_items: listOf('Items of these orders.'),
    order_statuses: listOf('Histories of these orders.'),
    invoices: listOf('Invoices of these orders.'),
    transactions: listOf('Payments of these orders.'),
    product_comments: listOf('Comments on products that the customer wrote.'),
    left_out: z
      .array(z.string())
      .describe('Kinds of records that the caller has no scope for; their lists are empty.'),
  })
  .meta({
    id: 'CustomerExport',
    description:
      'Everything that a store keeps about a customer. Amounts are in cents, times in UTC.',
  });

/**
 * Reads all data that the store keeps about a customer, as far as the caller may read it elsewhere.
 * Throws a 400 if it is too much for a response. Returns `undefined` for an unknown customer. One
 * round trip.
 */
export async function exportCustomer(
  db: StoreDb,
  id: number,
  { hasScope }: Pick<Principal, 'hasScope'>,
): Promise<z.input<typeof CustomerExportSchema> | undefined> {
  const tables = customerTables.filter((table) => hasScope(scopesOfTables[table]));
  const [first, ...rest] = selectCustomerData(db, id, tables, maxRecords + 1);
  if (!first) return undefined;
  const rows = await db.batch([first, ...rest]);
  if (rows[0].length === 0) return undefined;
  if (rows.some((one) => one.length > maxRecords)) throw answerTooLarge();
  const recordsOf = (table: CustomerTable) =>
    (rows[tables.indexOf(table)] ?? []).map(
      // The JSON columns of these tables are flat, or a list of pairs.
      (row) => recordOfTable(table, row) as z.output<typeof record>,
    );
  const result = {
    customers: recordsOf('customers'),
    addresses: recordsOf('addresses'),
    carts: recordsOf('carts'),
    cart_items: recordsOf('cart_items'),
    orders: recordsOf('orders'),
    order_addresses: recordsOf('order_addresses'),
    order_items: recordsOf('order_items'),
    order_statuses: recordsOf('order_statuses'),
    invoices: recordsOf('invoices'),
    transactions: recordsOf('transactions'),
    product_comments: recordsOf('product_comments'),
    left_out: customerTables.filter((table) => !tables.includes(table)),
  };
  if (JSON.stringify(result).length > maxAnswerBytes) throw answerTooLarge();
  return result;
}
