import { eq, sql, type SQL } from 'drizzle-orm';
import { stockedSkusOfOrderQuery, type StockedSku } from '../../catalog/stock/stock.ts';
import { reserveIds } from '../../data/core/reserved-ids.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { carts } from '../../data/schema/store/carts-tables.ts';
import { orders } from '../../data/schema/store/orders-tables.ts';
import { transactions } from '../../data/schema/store/transactions-tables.ts';
import { fullCartExtras } from '../carts/cart-queries.ts';
import { fullOrderExtras, type FullOrder } from './order-queries.ts';

/** An order with everything that a change of it and its events need. */
export interface LoadedOrder {
  order: FullOrder;
  /** The current SKUs of its items; a deleted SKU is missing. */
  skus: readonly StockedSku[];
  /** The id reserved for the next entry of its status history. */
  statusChangeId: number;
}

/**
 * Statements whose results `toLoadedOrder` takes; callers append further statements of the same
 * batch.
 */
function loadQueries(db: StoreDb, id: SQL) {
  return [
    db.select(orders, { where: eq(orders.id, id), extras: fullOrderExtras }),
    stockedSkusOfOrderQuery(db, id),
    reserveIds(db, 1),
  ] as const;
}

/** Statements that read an order by its id. */
export const orderQueries = (db: StoreDb, id: number) => loadQueries(db, sql`${id}`);

/**
 * Statements that read the order of a transaction, followed by the cart that the order was created
 * from.
 */
export function orderOfTransactionQueries(db: StoreDb, transactionId: number) {
  const orderId = sql`(select ${transactions.order_id} from ${transactions}
      where ${transactions.id} = ${transactionId} and ${transactions.store_id} = ${db.store.id})`;
  const cartId = sql`(select ${orders.cart_id} from ${orders} where ${orders.id} = ${orderId})`;
  return [
    ...loadQueries(db, orderId),
    db.select(carts, { where: eq(carts.id, cartId), extras: fullCartExtras }),
  ] as const;
}

/** Combines the results; `undefined` if the store has no such order. */
export function toLoadedOrder(
  orderRows: readonly FullOrder[],
  skus: readonly StockedSku[],
  reservedIds: readonly { last: number }[],
): LoadedOrder | undefined {
  const [order] = orderRows;
  return order && { order, skus, statusChangeId: reservedIds[0]?.last ?? 0 };
}
