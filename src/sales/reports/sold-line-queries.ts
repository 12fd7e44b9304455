import { sql } from 'drizzle-orm';
import { listDays, toLocalTime } from '../../base/codecs/fields/local-time.ts';
import { rawStatement } from '../../data/core/raw.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { orderItems, orders, unauthorizedStatuses } from '../../data/schema/store/orders-tables.ts';

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
  customer_id: number | null;
  product_id: number | null;
  name: string | null;
  quantity: number | null;
  value_total: number | null;
}

/** Days in the time zone of the store, `YYYY-MM-DD`, both included. */
export interface SalesPeriod {
  from: string;
  to: string;
  /** The first instant, and the first one after, in epoch milliseconds. */
  range: [number, number];
}

/** Paid orders, the units of their lines, and revenue in cents. */
interface Sold {
  orders: number;
  units: number;
  revenue: number;
}

/** The sales of a period. */
interface SalesSummary extends Sold {
  /** Orders that are not paid, or cancelled. */
  uncounted_orders: number;
  /** Each day of the period, also without a sale. */
  days: (Sold & { date: string })[];
  /** The most revenue first. */
  products: (Sold & { product_id: number; name: string })[];
  /** The same; orders of deleted customers are in none. */
  customers: (Sold & { customer_id: number })[];
}

const nothing = (): Sold => ({ orders: 0, units: 0, revenue: 0 });

/**
 * Sums up the sales of a period, by day, product and customer. Returns `undefined` if it holds more
 * than `maxSummarized`. One round trip; the rows read are bounded.
 */
export async function summarizeSales(
  db: StoreDb,
  period: SalesPeriod,
): Promise<SalesSummary | undefined> {
  const [lines] = await db.batch([selectSoldLines(db, period)]);
  return sumSales(db, period, lines);
}

/** Sums up the lines of a period; `undefined` if there are more than `maxSummarized`. */
export function sumSales(
  db: StoreDb,
  { from, to }: SalesPeriod,
  lines: readonly SoldLine[],
): SalesSummary | undefined {
  const count = new Set(lines.map(({ order_id: id }) => id)).size;
  if (count > maxSummarized.orders || lines.length > maxSummarized.lines) return undefined;
  const all = nothing();
  const days = new Map(listDays(from, to).map((date) => [date, nothing()]));
  const products = new Map<number, Sold & { name: string; newest: number }>();
  const customers = new Map<number, Sold & { customer_id: number }>();
  const uncounted = new Set<number>();
  let newest = 0;
  for (const line of lines) {
    const { order_id, product_id, customer_id, quantity, value_total } = line;
    if (line.is_sold === 0) uncounted.add(order_id);
    if (line.is_sold === 0 || product_id === null) continue;
    const day = days.get(toLocalTime(line.created_at, db.store.zone).day) ?? nothing();
    const product = products.get(product_id) ?? { ...nothing(), name: '', newest: 0 };
    products.set(product_id, product);
    const customer = customers.get(customer_id ?? 0) ?? {
      ...nothing(),
      customer_id: customer_id ?? 0,
    };
    customers.set(customer_id ?? 0, customer);
    // The lines of an order stand together.
    if (order_id !== newest) {
      newest = order_id;
      for (const sum of [all, day, customer]) {
        sum.orders += 1;
        sum.revenue += line.order_total;
      }
    }
    for (const sum of [all, day, product, customer]) sum.units += quantity ?? 0;
    product.orders += product.newest === order_id ? 0 : 1;
    product.revenue += value_total ?? 0;
    product.newest = order_id;
    product.name = line.name ?? '';
  }
  return {
    ...all,
    uncounted_orders: uncounted.size,
    days: Array.from(days, ([date, sold]) => ({ date, ...sold })),
    products: Array.from(products, ([product_id, sold]) => ({ product_id, ...sold })).sort(
      (a, b) => b.revenue - a.revenue || a.product_id - b.product_id,
    ),
    customers: [...customers.values()]
      .filter(({ customer_id }) => customer_id !== 0)
      .sort((a, b) => b.revenue - a.revenue || a.customer_id - b.customer_id),
  };
}

/**
 * The orders that were placed in a period with their lines, oldest first. The rows read are
 * bounded.
 */
export const selectSoldLines = (db: StoreDb, { range: [from, until] }: SalesPeriod) =>
  // One pass without a temporary table, of which each row would be read once more.
  rawStatement<SoldLine>(
    db,
    sql`select sold.id as order_id, sold.created_at, sold.value_total as order_total, sold.is_sold, sold.customer_id,
        order_items.product_id, order_items.name, order_items.quantity, order_items.value_total
      from (select id, created_at, value_total, customer_id, ${isSold} as is_sold from ${orders}
        where store_id = ${db.store.id} and created_at >= ${from} and created_at < ${until}
        order by created_at limit ${maxSummarized.orders + 1}) sold
      left join ${orderItems} on sold.is_sold and order_items.order_id = sold.id and +order_items.store_id = ${db.store.id}
      limit ${maxSummarized.lines + 1}`,
  );
