import { eq, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import { carts, orders, transactions } from '../db/schema/store.ts';
import { reservation } from '../db/sequences.ts';
import type { StoreDb } from '../db/store.ts';
import { wholeCart } from './cart-reading.ts';
import { wholeOrder, type WholeOrder } from './order-reading.ts';
import { skusOfOrder, type StockedSku } from './stocked-skus.ts';

/** An order with everything that its change and the events of it need. */
export interface OpenOrder {
  order: WholeOrder;
  /** Its SKUs as they are now, without those that are no longer sold. */
  skus: readonly StockedSku[];
  /** The id of the next entry of its history. */
  historyId: number;
}

/** The statements that read an order, and what their answers make; other statements of the same trip follow them. */
function reading(db: StoreDb, id: SQL) {
  return [
    db.select(orders, { where: eq(orders.id, id), extras: wholeOrder }),
    skusOfOrder(db, id),
    reservation(db, 'order_statuses', 1),
  ] as const;
}

/** Reads an order by its id. */
export const readingOrder = (db: StoreDb, id: number) => reading(db, sql`${id}`);

/** Reads the order that a transaction pays, and the cart that the order was. */
export function readingOrderOf(db: StoreDb, transactionId: number) {
  const orderId = sql`(select ${transactions.order_id} from ${transactions}
      where ${transactions.id} = ${transactionId} and ${transactions.store_id} = ${db.store.id})`;
  const cartId = sql`(select ${orders.cart_id} from ${orders} where ${orders.id} = ${orderId})`;
  return [
    ...reading(db, orderId),
    db.select(carts, { where: eq(carts.id, cartId), extras: wholeCart }),
  ] as const;
}

/** What was read, if this store has the order. */
export function opened(
  found: readonly WholeOrder[],
  skus: readonly StockedSku[],
  history: readonly { last: number }[],
): OpenOrder | undefined {
  const [order] = found;
  return order && { order, skus, historyId: history[0]?.last ?? 0 };
}
