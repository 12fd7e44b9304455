import { eq, sql } from 'drizzle-orm';
import { chosen, computed, computedNumber, many, one } from '../db/relations.ts';
import {
  customers,
  invoices,
  orderAddresses,
  orderItems,
  orders,
  orderStatuses,
  payments,
  transactions,
} from '../db/schema/store.ts';
import { orderStatusIds } from '../db/schema/orders.ts';
import type { Found, Store } from '../db/store-statements.ts';
import type { Row } from '../db/table.ts';
import { nextStatuses } from './order-arrows.ts';
import { shownStatus } from './order-status-names.ts';
import { presentTransaction, withNestedPayment } from './transaction-reading.ts';

/** A payment type as an order names it. */
interface NamedPayment {
  id: number;
  alias: string;
  name: string;
}

/** What is read with every order. */
export const orderExtras = {
  open_invoices: computedNumber(
    sql`(select count(*) from ${invoices} where ${invoices.order_id} = ${orders.id} and ${invoices.status} <> 'cancelled')`,
  ),
  payments: computed(
    sql`(select json_group_array(json_object('id', id, 'alias', alias, 'name', name)) from (
      select ${payments.id}, ${payments.alias}, ${payments.name} from ${payments}
      where ${payments.id} in (select ${transactions.payment_id} from ${transactions}
        where ${transactions.order_id} = ${orders.id}) order by ${payments.id}))`,
    (text: string) => JSON.parse(text) as NamedPayment[],
  ),
};

const relations = {
  customer: one(customers, eq(customers.id, orders.customer_id)),
  items: many(orderItems, eq(orderItems.order_id, orders.id)),
  transactions: many(transactions, eq(transactions.order_id, orders.id), withNestedPayment),
  invoices: many(invoices, eq(invoices.order_id, orders.id)),
  shipping_address: one(orderAddresses, eq(orderAddresses.order_id, orders.id)),
  statuses: many(orderStatuses, eq(orderStatuses.order_id, orders.id)),
};

/** The names that `include` knows. */
export const orderIncludes = [
  'customer',
  'items',
  'transactions',
  'invoices',
  'shipping_address',
  'statuses',
] as const;

/** An order with everything that an event of it shows. */
export const wholeOrder = { ...orderExtras, ...relations };

export type WholeOrder = Found<typeof orders, typeof wholeOrder>;

/** What is read with an order for a query's `include`. */
export const readWithOrder = (
  names: readonly string[],
): typeof orderExtras & Partial<typeof relations> => ({
  ...orderExtras,
  ...chosen(relations, names),
});

type ReadOrder = Found<typeof orders, typeof orderExtras> &
  Partial<Omit<WholeOrder, keyof Found<typeof orders, typeof orderExtras>>>;

const unapproved = new Set(['waiting_payment', 'refused', 'cancelled']);

/** An entry of an order's history as it is shown. */
export const presentHistory = (entry: Row<typeof orderStatuses>) => {
  const { id, ...status } = shownStatus(entry.status);
  return { ...status, ...entry, status_id: id };
};

/** Adds what follows from the state and the store, to an order and to the relations that were read. */
export function presentOrder({ id: merchant_id }: Store, order: ReadOrder) {
  const { status, metadata, transactions: paid, statuses, ...rest } = order;
  const next = nextStatuses(order);
  return {
    ...rest,
    merchant_id,
    status: { data: shownStatus(status) },
    desire_status_id: next.map((word) => orderStatusIds[word]),
    desire_status: [...next],
    authorized: !unapproved.has(status),
    cancelled: status === 'cancelled',
    delivered: status === 'delivered',
    metadata: { data: metadata },
    ...(paid && { transactions: { data: paid.data.map(presentTransaction) } }),
    ...(statuses && { statuses: { data: statuses.data.map(presentHistory) } }),
  };
}
