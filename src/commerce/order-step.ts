import { and, eq, sql } from 'drizzle-orm';
import { orderStatusIds, type OrderStatus } from '../db/schema/orders.ts';
import { differ } from '../db/revision.ts';
import { orders, orderStatuses } from '../db/schema/store.ts';
import { stamps } from '../db/stamps.ts';
import type { StoreDb } from '../db/store.ts';
import type { OpenOrder } from './open-order.ts';
import { orderEvent } from './order-event.ts';
import { outOfStock } from './out-of-stock.ts';
import type { WholeOrder } from './order-reading.ts';
import { reserve, stockEffect } from './stock-effect.ts';
import { unchangedSkus } from './stocked-skus.ts';
import { stockStep, type Step, type StockLine } from './stock-step.ts';

/** What becomes of an order: where it goes, which of its columns and relations are others then. */
export interface OrderChange {
  to?: OrderStatus | undefined;
  columns?: Partial<
    Pick<
      WholeOrder,
      'track_code' | 'track_url' | 'date_delivery' | 'shipment_service' | 'buyer_value_total'
    >
  >;
  relations?: Partial<Pick<WholeOrder, 'transactions' | 'invoices' | 'payments' | 'open_invoices'>>;
}

/**
 * One arrow, or a change without one: the conditional update of the order, its history, its stock and its events. The
 * update counts only under the revision that was read, so of two writers at once one is rolled back with a
 * `StaleRevision` and decides anew. Throws 409 `out_of_stock` when the units of a refused order are no longer there.
 */
export function orderStep(
  db: StoreDb,
  { order, skus, historyId }: OpenOrder,
  { to, columns = {}, relations = {} }: OrderChange,
): Step & { after: WholeOrder } {
  const revised = { ...order, ...columns, ...relations, updated_at: db.now };
  const set = { ...columns, ...(to && { status: to }) };
  const update = [
    db.change(
      orders,
      and(eq(orders.id, order.id), eq(orders.revision, order.revision)),
      // A change that leaves every column as it is would count as none, although a relation is another one.
      differ(order, set) ? set : {},
      { revision: sql`${orders.revision} + 1` },
    ),
    db.mustHaveChanged(),
  ];
  if (!to) return { statements: update, events: [], after: revised };
  const entry = { order_id: order.id, status: to };
  const history = [...order.statuses.data, { ...entry, ...stamps(db, historyId) }];
  const after = {
    ...revised,
    status: to,
    status_id: orderStatusIds[to],
    // As everywhere, a relation holds at most 100 rows.
    statuses: { data: history.slice(0, 100) },
  };
  const effect = stockEffect(order.status, to);
  const lines = effect ? linesOf(order, skus) : [];
  if (effect === reserve) refuseUnlessThere(order, lines);
  const stock = effect ? stockStep(db, lines, effect) : { statements: [], events: [] };
  const moved = lines.map(({ sku }) => sku);
  return {
    statements: [
      ...update,
      db.insertion(orderStatuses, entry, historyId),
      unchangedSkus(db, moved),
      ...stock.statements,
    ],
    events: [
      orderEvent(db, 'order.status.updated', after),
      ...(to === 'paid' ? [orderEvent(db, 'order.paid', after)] : []),
      ...stock.events,
    ],
    after,
  };
}

/** The items whose quantity is managed, at the places that they were taken from. */
function linesOf(order: WholeOrder, skus: readonly StockLine['sku'][]): StockLine[] {
  return order.items.data.flatMap(({ sku_id, stock_row_id, quantity: units }) => {
    const sku = skus.find(({ id }) => id === sku_id);
    const stock = sku?.stocks.data.find(({ id }) => id === stock_row_id);
    return sku && stock ? [{ sku, stock, units }] : [];
  });
}

function refuseUnlessThere(order: WholeOrder, lines: readonly StockLine[]) {
  const short = lines.filter(({ stock, units }) => stock.quantity - stock.reserved < units);
  if (short.length === 0) return;
  const missing = new Set(short.map(({ stock }) => stock.id));
  throw outOfStock(
    order.items.data.flatMap(({ stock_row_id }, place) =>
      stock_row_id !== null && missing.has(stock_row_id) ? [place] : [],
    ),
  );
}
