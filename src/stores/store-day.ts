import { sql } from 'drizzle-orm';
import { selectUsage } from '../data/core/event-budget.ts';
import { eventScope } from '../data/core/event-id.ts';
import { rawStatement } from '../data/core/raw.ts';
import type { StoreDb } from '../data/core/store-db.ts';
import { lowStockLimit, products, skus, stocks } from '../data/schema/store/catalog-tables.ts';
import { orders, type OrderStatus } from '../data/schema/store/orders-tables.ts';
import { selectSoldLines, sumSales, type SalesPeriod } from '../sales/reports/sold-line-queries.ts';
import {
  failingWebhooksQuery,
  toFailingWebhook,
  type FailingWebhookRow,
} from '../webhooks/log/failing-webhooks.ts';

/**
 * The bytes of events and stored responses that a store has recorded today (UTC), and of how many.
 */
export interface EventUsage {
  bytes: number;
  budget: number;
}

/** One of the latest orders. */
interface LatestOrder {
  number: number;
  status: OrderStatus;
  /** In cents. */
  total: number;
  /** Epoch milliseconds. */
  createdAt: number;
}

/** A stock with less than `fewUnits` to sell. */
interface ShortStock {
  name: string;
  /** Of the variant. */
  title: string | null;
  sku: string;
  available: number;
}

const fewUnits = 10;

/**
 * Rows of a list, and stocks that are looked at for them: some are of SKUs whose quantity is not
 * managed.
 */
const shown = { rows: 5, stocks: 100 };

/**
 * Finds the sales of a period (`undefined` if there are too many), the latest orders, the lowest
 * stocks, and what fails. Also what a store has used of its event budget; `budget` is that of the
 * service. One round trip; the rows read are bounded.
 */
export async function findStoreDay(db: StoreDb, period: SalesPeriod, budget: number) {
  const storeId = db.store.id;
  const available = sql`quantity - reserved`;
  const [lines, [usage], latest, low, failing] = await db.batch([
    selectSoldLines(db, period),
    rawStatement<{ today: number | null; quota: number }>(db, selectUsage(eventScope(db), budget)),
    rawStatement<LatestOrder>(
      db,
      sql`select number, status, value_total as total, created_at as "createdAt" from ${orders}
        where store_id = ${storeId} order by created_at desc, id desc limit ${shown.rows}`,
    ),
    rawStatement<ShortStock>(
      db,
      // The first condition is that of the index.
      sql`select products.name, skus.title, skus.sku, low.available from (
          select id, sku_id, product_id, ${available} as available from ${stocks} indexed by stocks_low
          where store_id = ${storeId} and ${available} < ${sql.raw(String(lowStockLimit))} and ${available} < ${fewUnits}
          order by ${available}, id limit ${shown.stocks}) low
        cross join ${skus} on skus.id = low.sku_id and +skus.store_id = ${storeId}
        cross join ${products} on products.id = low.product_id and +products.store_id = ${storeId}
        where skus.quantity_managed order by low.available, low.id limit ${shown.rows}`,
    ),
    rawStatement<FailingWebhookRow & { total: number }>(
      db,
      failingWebhooksQuery(JSON.stringify([storeId])),
    ),
  ]);
  const events: EventUsage = {
    bytes: usage?.today ?? 0,
    budget: usage?.quota ?? budget,
  };
  return {
    sales: sumSales(db, period, lines),
    events,
    latest,
    low,
    failingWebhooks: failing[0]?.total ?? 0,
    longestFailing: failing.map(toFailingWebhook),
  };
}
