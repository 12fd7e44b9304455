import { sql } from 'drizzle-orm';
import { rawStatement } from '../../data/core/raw.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { lowStockLimit, products, skus, stocks } from '../../data/schema/store/catalog-tables.ts';
import { orderItems, orders } from '../../data/schema/store/orders-tables.ts';
import { isSold } from './sold-line-queries.ts';

/** Stocks that one page looks at. A page may be short of rows and still have a next page. */
const maxLookedAt = 1_000;

/**
 * The newest orders that are looked at, sold or not, and the lines of the sold ones that are
 * counted, each at most.
 */
const maxCounted = { orders: 2_000, lines: 5_000 };

/** A stock by the units that can be sold, and by its id. */
export interface StockPlace {
  available: number;
  id: number;
}

/** A stock with few units, with its SKU. Times are epoch milliseconds. */
interface LowStock {
  sku_id: number;
  product_id: number;
  sku: string;
  title: string | null;
  name: string;
  quantity: number;
  reserved: number;
  available: number;
  min_quantity: number;
  /** Units in paid orders since `sold_since`. */
  sold: number;
  sold_since: number;
}

interface LowStockQuery {
  /** At most `lowStockLimit`. */
  below: number;
  after: StockPlace | undefined;
  limit: number;
  /** Since when sales count. */
  since: number;
}

/**
 * Lists stocks with fewer than `below` units to sell, those with the fewest first; of SKUs whose
 * quantity is not managed, none. One round trip; the rows read are bounded. In a store with
 * `maxCounted` orders or lines since `since`, `sold_since` is later.
 */
export async function listLowStocks(
  db: StoreDb,
  { below, after = { available: -1, id: 0 }, limit, since }: LowStockQuery,
): Promise<{ rows: LowStock[]; next: StockPlace | null }> {
  const storeId = db.store.id;
  const available = sql`quantity - reserved`;
  // The first condition is that of the index.
  const isLow = sql`store_id = ${storeId} and ${available} < ${sql.raw(String(lowStockLimit))}`;
  const columns = sql`select id, sku_id, product_id, quantity, reserved, min_quantity, ${available} as available
    from ${stocks} indexed by stocks_low where ${isLow}`;
  const [found] = await db.batch([
    rawStatement<LowStock & { stock: number | null; scanned: number; last: string | null }>(
      db,
      sql`with low as materialized (
          select * from (
            select * from (${columns} and ${available} = ${after.available} and id > ${after.id}
              order by id limit ${maxLookedAt})
            union all
            select * from (${columns} and ${available} > ${after.available} and ${available} < ${below}
              order by ${available}, id limit ${maxLookedAt}))
          order by available, id limit ${maxLookedAt}),
        kept as materialized (
          select low.id as stock, low.sku_id, low.product_id, skus.sku, skus.title, products.name, low.quantity, low.reserved,
            low.available, low.min_quantity
          from low
          cross join ${skus} on skus.id = low.sku_id and +skus.store_id = ${storeId}
          cross join ${products} on products.id = low.product_id and +products.store_id = ${storeId}
          where skus.quantity_managed order by low.available, low.id limit ${limit + 1}),
        recent as materialized (
          select id, created_at, ${isSold} as is_sold from ${orders}
          where store_id = ${storeId} and created_at >= ${since}
          order by created_at desc limit ${maxCounted.orders}),
        lines as materialized (
          select order_items.sku_id, order_items.quantity, recent.created_at
          from recent cross join ${orderItems} on order_items.order_id = recent.id and +order_items.store_id = ${storeId}
          where recent.is_sold limit ${maxCounted.lines}),
        counted as materialized (
          select sku_id, sum(quantity) as units, count(*) as lines, min(created_at) as since
          from lines group by sku_id)
        select counted.scanned, counted.last, kept.*,
          coalesce((select units from counted where counted.sku_id = kept.sku_id), 0) as sold,
          case when counted.lines = ${maxCounted.lines} then counted.oldest_line
            when placed.orders = ${maxCounted.orders} then placed.oldest_order else ${since} end as sold_since
        from (select count(*) as scanned, (select available || '.' || id from low
          order by available desc, id desc limit 1) as last,
            (select sum(lines) from counted) as lines, (select min(since) from counted) as oldest_line
          from low) counted
        cross join (select count(*) as orders, min(created_at) as oldest_order from recent) placed
        left join kept on true order by kept.available, kept.stock`,
    ),
  ]);
  const { scanned = 0, last = null } = found[0] ?? {};
  // Without a match there is one row of nulls with the counts.
  const kept = found.flatMap((row) => (row.stock === null ? [] : [{ ...row, stock: row.stock }]));
  const shown = kept.slice(0, limit);
  const end = shown.at(-1);
  const next =
    kept.length > limit && end
      ? { available: end.available, id: end.stock }
      : scanned === maxLookedAt && last !== null
        ? parseStockPlace(last)
        : undefined;
  return { rows: shown, next: next ?? null };
}

/** Reads the text of a place; `undefined` if it is none. */
export function parseStockPlace(text: string): StockPlace | undefined {
  const match = /^(\d{1,9})\.(\d{1,15})$/.exec(text);
  return match ? { available: Number(match[1]), id: Number(match[2]) } : undefined;
}

export const formatStockPlace = ({ available, id }: StockPlace) => `${available}.${id}`;
