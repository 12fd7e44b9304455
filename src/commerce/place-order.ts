import { and, eq } from 'drizzle-orm';
import { untilFresh } from '../db/fresh.ts';
import { insertionOf } from '../db/insertion-of.ts';
import { takenOrderNumber, takeOrderNumber } from '../db/order-numbers.ts';
import {
  addresses,
  customers,
  orderAddresses,
  orderItems,
  orders,
  orderStatuses,
  transactions,
} from '../db/schema/store.ts';
import { reservation } from '../db/sequences.ts';
import { lastOf, type Statement } from '../db/statement.ts';
import type { StoreDb } from '../db/store.ts';
import { unchangedCustomer } from '../db/unchanged-customer.ts';
import type { Row } from '../db/table.ts';
import { publish, type StoreEvent } from '../events/publish.ts';
import { draftOrder, type Surroundings } from './draft-order.ts';
import type { NewOrder } from './new-order.ts';
import { orderEvent } from './order-event.ts';
import { presentOrder, wholeOrder } from './order-reading.ts';
import { readingTerms } from './payment-terms.ts';
import { reserve, sell } from './stock-effect.ts';
import { stockStep } from './stock-step.ts';
import { skusOf, unchangedSkus } from './stocked-skus.ts';

/**
 * Places an order, reserves its stock and tells of both; answers with the order and all its includes. Two round trips. Who
 * loses the last units to another order is refused with 409 `out_of_stock`; an `InvalidBody` names what is wrong.
 */
export const placeOrder = (db: StoreDb, order: NewOrder) =>
  untilFresh(() => placeOrderWith(db, order, { statements: [], events: [], customer: undefined }));

/** What belongs to the same batch as an order, and comes first. */
export interface BeforeOrder {
  statements: readonly Statement[];
  events: readonly StoreEvent[];
  /** The customer of the order, if these statements add it. */
  customer: Row<typeof customers> | undefined;
}

/**
 * The same, once, in one batch with what comes `before`, for a caller that has decided on what it read: a
 * `StaleRevision` means that the caller reads and decides again.
 */
export async function placeOrderWith(db: StoreDb, order: NewOrder, before: BeforeOrder) {
  const found = await surroundings(db, order);
  const read = { ...found, customer: before.customer ?? found.customer };
  const { whole, customer, stock } = draftOrder(db, order, read);
  const { id } = whole;
  const moved = stockStep(db, stock, order.isPaid ? sell : reserve);
  const stored = { number: takenOrderNumber(db) };
  const results = await publish(
    db,
    [
      ...before.statements,
      unchangedCustomer(db, customer),
      unchangedSkus(db, read.skus),
      ...moved.statements,
      takeOrderNumber(db),
      insertionOf(db, orders, whole, stored),
      ...whole.items.data.map((item) => insertionOf(db, orderItems, item)),
      ...[whole.shipping_address.data].flatMap((address) =>
        address ? [insertionOf(db, orderAddresses, address)] : [],
      ),
      ...whole.statuses.data.map((entry) => insertionOf(db, orderStatuses, entry)),
      ...whole.transactions.data.map((paying) => insertionOf(db, transactions, paying)),
      db.selectOne(orders, id, wholeOrder),
    ],
    [
      ...before.events,
      { ...orderEvent(db, 'order.created', whole), stored },
      ...(order.isPaid ? [{ ...orderEvent(db, 'order.paid', whole), stored }] : []),
      ...moved.events,
    ],
  );
  return lastOf(results).map((row) => presentOrder(db.store, row))[0];
}

/** Reads what a new order names, and reserves the ids of all that belongs to it. One round trip. */
async function surroundings(db: StoreDb, order: NewOrder): Promise<Surroundings> {
  const { items, payment, shipping } = order;
  const named = items.map(({ sku_id }) => sku_id);
  const ofCustomer = and(
    eq(addresses.id, 'id' in shipping ? shipping.id : 0),
    eq(addresses.customer_id, order.customer_id),
  );
  const [skus, buyers, known, types, plan, affiliated, ...reserved] = await db.batch([
    skusOf(db, named),
    db.selectOne(customers, order.customer_id),
    db.select(addresses, { where: ofCustomer }),
    ...readingTerms(db, payment?.payment_id ?? 0, payment?.affiliation_id ?? null),
    reservation(db, 'orders', 1),
    reservation(db, 'order_items', items.length),
    reservation(db, 'order_addresses', 1),
    reservation(db, 'order_statuses', 1),
    reservation(db, 'transactions', 1),
  ]);
  const [orderId = 0, lastItem = 0, address = 0, history = 0, transaction = 0] = reserved.map(
    (rows) => rows[0]?.last,
  );
  return {
    ids: { order: orderId, lastItem, address, history, transaction },
    skus,
    customer: buyers[0],
    address: known[0],
    terms: { payment: types[0], plan, affiliation: affiliated[0] },
  };
}
