import { sql } from 'drizzle-orm';
import { rawStatement } from '../core/raw.ts';
import type { StoreDb } from '../core/store-db.ts';
import { orderItems, orders, unauthorizedStatuses } from '../schema/store/orders-tables.ts';

/** The orders and the lines of orders that a summary reads at most. */
export const maxSummarized = { orders: 4_000, lines: 8_000 };

const unauthorized = sql.raw(unauthorizedStatuses.map((status) => `'${status}'`).join(', '));

/** Condition: an order is paid and stands. */
export const isSold = sql`status not in (${unauthorized})`;

/** A line of an order; of an order that is not sold, one row without a line. Amounts in cents. */
interface SoldLine {
  order_id: number;
  /** Epoch milliseconds. */
  created_at: number;
  /** Of the order. */
  order_total: number;
  is_sold: 0 | 1;
  product_id: number | null;
  name: string | null;
  quantity: number | null;
  value_total: number | null;
}

/**
 * Reads the orders that were placed from `from` to `until` (epoch milliseconds, exclusive) with their lines, oldest first. Returns
 * `undefined` if there are more than `maxSummarized`. One round trip; the rows read are bounded.
 */
export async function loadSoldLines(
  db: StoreDb,
  { from, until }: { from: number; until: number },
): Promise<SoldLine[] | undefined> {
  // One pass without a temporary table, of which each row would be read once more.
  const [rows] = await db.batch([
    rawStatement<SoldLine>(
      db,
      sql`select o.id as order_id, o.created_at, o.value_total as order_total, o.is_sold,
          i.product_id, i.name, i.quantity, i.value_total
        from (select id, created_at, value_total, ${isSold} as is_sold from ${orders}
          where store_id = ${db.store.id} and created_at >= ${from} and created_at < ${until}
          order by created_at limit ${maxSummarized.orders + 1}) o
        left join ${orderItems} i on o.is_sold and i.order_id = o.id and +i.store_id = ${db.store.id}
        limit ${maxSummarized.lines + 1}`,
    ),
  ]);
  const count = new Set(rows.map(({ order_id: id }) => id)).size;
  return count > maxSummarized.orders || rows.length > maxSummarized.lines ? undefined : rows;
}
