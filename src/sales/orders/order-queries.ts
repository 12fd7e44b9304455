import { eq, sql } from 'drizzle-orm';
import { runInZone } from '../../base/codecs/fields/zone.ts';
import { compileSerializer } from '../../base/codecs/serializer.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { SelectedRow } from '../../data/core/store-statements.ts';
import type { Row } from '../../data/core/store-table.ts';
import type { Store } from '../../data/core/store.ts';
import {
  pickRelations,
  computedColumn,
  computedNumber,
  toMany,
  toOne,
} from '../../data/queries/relations.ts';
import { customers } from '../../data/schema/store/customers-tables.ts';
import {
  invoices,
  orderAddresses,
  orderItems,
  orders,
  orderStatuses,
  orderStatusIds,
  unauthorizedStatuses,
} from '../../data/schema/store/orders-tables.ts';
import { payments } from '../../data/schema/store/payments-tables.ts';
import { transactions } from '../../data/schema/store/transactions-tables.ts';
import type { StoreEvent } from '../../webhooks/events/publish.ts';
import { updatedFields } from '../../webhooks/events/updated-fields.ts';
import { serializeTransaction, transactionExtras } from '../transactions/transaction-queries.ts';
import { allowedNextStatuses, serializeOrderStatus } from './order-states.ts';
import { OrderEventSchema } from './schema.ts';

const serializeEvent = compileSerializer(OrderEventSchema);

/** A payment type as an order lists it. */
interface PaymentSummary {
  id: number;
  alias: Row<typeof payments>['alias'];
  name: string;
}

/** Computed columns that are read with every order. */
export const orderExtras = {
  open_invoices: computedNumber(
    sql`(select count(*) from ${invoices} where ${invoices.order_id} = ${orders.id} and ${invoices.status} <> 'cancelled')`,
  ),
  payments: computedColumn(
    sql`(select json_group_array(json_object('id', id, 'alias', alias, 'name', name)) from (
      select ${payments.id}, ${payments.alias}, ${payments.name} from ${payments}
      where ${payments.id} in (select ${transactions.payment_id} from ${transactions}
        where ${transactions.order_id} = ${orders.id}) order by ${payments.id}))`,
    (text: string) => JSON.parse(text) as PaymentSummary[],
  ),
};

const orderRelations = {
  customer: toOne(customers, eq(customers.id, orders.customer_id)),
  items: toMany(orderItems, eq(orderItems.order_id, orders.id)),
  transactions: toMany(transactions, eq(transactions.order_id, orders.id), transactionExtras),
  invoices: toMany(invoices, eq(invoices.order_id, orders.id)),
  shipping_address: toOne(orderAddresses, eq(orderAddresses.order_id, orders.id)),
  statuses: toMany(orderStatuses, eq(orderStatuses.order_id, orders.id)),
};

/** The values that `include` accepts. */
export const orderIncludes = [
  'customer',
  'items',
  'transactions',
  'invoices',
  'shipping_address',
  'statuses',
] as const;

/** All that an event of an order needs: computed columns and all relations. */
export const fullOrderExtras = { ...orderExtras, ...orderRelations };

export type FullOrder = SelectedRow<typeof orders, typeof fullOrderExtras>;

/** Computed columns, and the relations that a query's `include` names. */
export const orderExtrasWith = (
  names: readonly string[],
): typeof orderExtras & Partial<typeof orderRelations> => ({
  ...orderExtras,
  ...pickRelations(orderRelations, names),
});

type OrderRecord = SelectedRow<typeof orders, typeof orderExtras> &
  Partial<Omit<FullOrder, keyof SelectedRow<typeof orders, typeof orderExtras>>>;

/** Serializes an entry of an order's status history. */
export const serializeStatusChange = (entry: Row<typeof orderStatuses>) => {
  const { id, ...status } = serializeOrderStatus(entry.status);
  return { ...status, ...entry, status_id: id };
};

/**
 * Serializes an order, with the fields derived from its status and the relations that were read.
 */
export function serializeOrder({ id: merchant_id }: Store, order: OrderRecord) {
  const { status, metadata, transactions: loadedTransactions, statuses, ...rest } = order;
  const next = allowedNextStatuses(order);
  return {
    ...rest,
    merchant_id,
    status: { data: serializeOrderStatus(status) },
    desire_status_id: next.map((alias) => orderStatusIds[alias]),
    desire_status: [...next],
    authorized: !unauthorizedStatuses.includes(status),
    cancelled: status === 'cancelled',
    delivered: status === 'delivered',
    metadata: { data: metadata },
    ...(loadedTransactions && {
      transactions: { data: loadedTransactions.data.map(serializeTransaction) },
    }),
    ...(statuses && { statuses: { data: statuses.data.map(serializeStatusChange) } }),
  };
}

/**
 * Returns an event of an order; its resource holds all includes. An update names what differs from
 * the order `before` it.
 */
export function toOrderEvent(
  db: StoreDb,
  name: 'order.created' | 'order.paid' | 'order.status.updated',
  order: FullOrder,
  before?: FullOrder,
): StoreEvent {
  const after = serializeOrder(db.store, order);
  const resource = runInZone(db.store.zone, () => serializeEvent(after));
  if (!before) return { name, resource };
  return {
    name,
    resource,
    changed: updatedFields(resource, serializeOrder(db.store, before), after),
  };
}
