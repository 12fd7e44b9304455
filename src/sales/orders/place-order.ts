import { and, eq } from 'drizzle-orm';
import {
  assertSkusUnchanged,
  planStockMove,
  reserveEffect,
  sellEffect,
  stockedSkusQuery,
} from '../../catalog/stock/stock.ts';
import { insertReservedStatement, reserveIds } from '../../data/core/reserved-ids.ts';
import { retryOnConflict } from '../../data/core/retry-contention.ts';
import { lastResult } from '../../data/core/statement.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { addresses, customers } from '../../data/schema/store/customers-tables.ts';
import {
  orderAddresses,
  orderItems,
  orders,
  orderStatuses,
} from '../../data/schema/store/orders-tables.ts';
import { transactions } from '../../data/schema/store/transactions-tables.ts';
import { publish } from '../../webhooks/events/publish.ts';
import { paymentTermsQueries } from '../transactions/payment-terms.ts';
import { draftOrder, type OrderInputs } from './draft-order.ts';
import {
  customerByEmailQuery,
  noPrerequisites,
  planNewBuyer,
  type OrderPrerequisites,
} from './new-buyer.ts';
import type { NewOrder } from './new-order.ts';
import {
  takenOrderNumber,
  takeOrderNumberStatement,
  assertCustomerUnchanged,
} from './number-queries.ts';
import { toOrderEvent, serializeOrder, fullOrderExtras } from './order-queries.ts';

/**
 * Places an order, reserves its stock and publishes the events of both. Returns the order with all
 * its includes. Two round trips. Throws 409 `out_of_stock` if stock is short, also when a
 * concurrent order took the last units. Throws a `ValidationError` for invalid input.
 */
export const placeOrder = (db: StoreDb, order: NewOrder) =>
  retryOnConflict(() => tryPlaceOrder(db, order, noPrerequisites));

/**
 * Like `placeOrder`, but in one batch with `prerequisites` and without a retry. On a
 * `ConflictError` the caller must read again what the prerequisites depend on.
 */
export async function tryPlaceOrder(
  db: StoreDb,
  order: NewOrder,
  prerequisites: OrderPrerequisites,
) {
  const loaded = await loadOrderInputs(db, order);
  const first =
    'email' in order.buyer && !loaded.customer
      ? planNewBuyer(db, loaded.ids.customer, order.buyer)
      : prerequisites;
  const inputs = { ...loaded, customer: first.customer ?? loaded.customer };
  const { draft, customer, stockLines } = draftOrder(db, order, inputs);
  const stockMove = planStockMove(db, stockLines, order.isPaid ? sellEffect : reserveEffect);
  const stored = { number: takenOrderNumber(db) };
  const results = await publish(
    db,
    [
      ...first.statements,
      assertCustomerUnchanged(db, customer),
      assertSkusUnchanged(db, inputs.skus),
      ...stockMove.statements,
      takeOrderNumberStatement(db),
      insertReservedStatement(db, orders, draft, stored),
      ...draft.items.data.map((item) => insertReservedStatement(db, orderItems, item)),
      ...[draft.shipping_address.data].flatMap((address) =>
        address ? [insertReservedStatement(db, orderAddresses, address)] : [],
      ),
      ...draft.statuses.data.map((entry) => insertReservedStatement(db, orderStatuses, entry)),
      ...draft.transactions.data.map((transaction) =>
        insertReservedStatement(db, transactions, transaction),
      ),
      db.selectOne(orders, draft.id, fullOrderExtras),
    ],
    [
      ...first.events,
      { ...toOrderEvent(db, 'order.created', draft), stored },
      ...(order.isPaid ? [{ ...toOrderEvent(db, 'order.paid', draft), stored }] : []),
      ...stockMove.events,
    ],
  );
  return lastResult(results).map((row) => serializeOrder(db.store, row))[0];
}

/**
 * Reads the records that a new order refers to, and reserves the ids of its rows. One round trip.
 */
async function loadOrderInputs(db: StoreDb, order: NewOrder): Promise<OrderInputs> {
  const { buyer, items, payment, shipping } = order;
  const skuIds = items.map(({ sku_id }) => sku_id);
  const isSavedAddress = and(
    eq(addresses.id, 'id' in shipping ? shipping.id : 0),
    eq(addresses.customer_id, 'id' in buyer ? buyer.id : 0),
  );
  const [skus, customerRows, savedAddresses, paymentTypes, plan, affiliationRows, reserved] =
    await db.batch([
      stockedSkusQuery(db, skuIds),
      'id' in buyer ? db.selectOne(customers, buyer.id) : customerByEmailQuery(db, buyer.email),
      db.select(addresses, { where: isSavedAddress }),
      ...paymentTermsQueries(db, payment?.payment_id ?? 0, payment?.affiliation_id ?? null),
      reserveIds(db, items.length + ('id' in buyer ? 4 : 5)),
    ]);
  const lastItem = reserved[0]?.last ?? 0;
  const transaction = lastItem - items.length;
  return {
    ids: {
      customer: transaction - 4,
      order: transaction - 3,
      address: transaction - 2,
      statusChange: transaction - 1,
      transaction,
      lastItem,
    },
    skus,
    customer: customerRows[0],
    address: savedAddresses[0],
    terms: { payment: paymentTypes[0], plan, affiliation: affiliationRows[0] },
  };
}
