import {
  assertSkusUnchanged,
  type BatchPlan,
  outOfStockError,
  planStockMove,
  reserveEffect,
  stockEffectOf,
  type StockLine,
} from '../../catalog/stock/stock.ts';
import { baseColumns } from '../../data/core/reserved-ids.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { hasChanges, hasRevision, incrementRevision } from '../../data/queries/revision.ts';
import {
  orders,
  orderStatuses,
  orderStatusIds,
  type OrderStatus,
} from '../../data/schema/store/orders-tables.ts';
import type { LoadedOrder } from './load-order.ts';
import { toOrderEvent, type FullOrder } from './order-queries.ts';

/**
 * A change of an order: its next status, new values of columns, and relations as they are after the
 * change.
 */
export interface OrderChange {
  to?: OrderStatus | undefined;
  columns?: Partial<
    Pick<
      FullOrder,
      'track_code' | 'track_url' | 'date_delivery' | 'shipment_service' | 'buyer_value_total'
    >
  >;
  relations?: Partial<Pick<FullOrder, 'transactions' | 'invoices' | 'payments' | 'open_invoices'>>;
}

/**
 * Plans the batch of a change, with or without a transition: the update of the order, its status
 * history, its stock and its events. The update applies only to the revision that was read; a
 * concurrent change fails the batch with a `ConflictError`. Throws 409 `out_of_stock` if a refused
 * order reserves again and its units are gone.
 */
export function planOrderChange(
  db: StoreDb,
  { order, skus, statusChangeId }: LoadedOrder,
  { to, columns = {}, relations = {} }: OrderChange,
): BatchPlan & { after: FullOrder } {
  const changed = { ...order, ...columns, ...relations, updated_at: db.now };
  const values = { ...columns, ...(to && { status: to }) };
  const update = [
    db.updateStatement(
      orders,
      hasRevision(orders, order),
      // An update that changes no column would be skipped, but a change of a relation must move the
      // revision too.
      hasChanges(order, values) ? values : {},
      incrementRevision(orders),
    ),
    db.assertChanged(),
  ];
  if (!to) return { statements: update, events: [], after: changed };
  const entry = { order_id: order.id, status: to };
  const history = [...order.statuses.data, { ...entry, ...baseColumns(db, statusChangeId) }];
  const after = {
    ...changed,
    status: to,
    status_id: orderStatusIds[to],
    // A relation holds at most 100 rows, as everywhere.
    statuses: { data: history.slice(0, 100) },
  };
  const effect = stockEffectOf(order.status, to);
  const lines = effect ? stockLinesOf(order, skus) : [];
  if (effect === reserveEffect) assertInStock(order, lines);
  const stockMove = effect ? planStockMove(db, lines, effect) : { statements: [], events: [] };
  return {
    statements: [
      ...update,
      db.insertStatement(orderStatuses, entry, statusChangeId),
      assertSkusUnchanged(
        db,
        lines.map(({ sku }) => sku),
      ),
      ...stockMove.statements,
    ],
    events: [
      toOrderEvent(db, 'order.status.updated', after, order),
      ...(to === 'paid' ? [toOrderEvent(db, 'order.paid', after)] : []),
      ...stockMove.events,
    ],
    after,
  };
}

/** Returns the items whose quantity is managed, with the stocks that they were taken from. */
function stockLinesOf(order: FullOrder, skus: readonly StockLine['sku'][]): StockLine[] {
  return order.items.data.flatMap(({ sku_id, stock_row_id, quantity: units }) => {
    const sku = skus.find(({ id }) => id === sku_id);
    const stock = sku?.stocks.data.find(({ id }) => id === stock_row_id);
    return sku && stock ? [{ sku, stock, units }] : [];
  });
}

/** Throws 409 `out_of_stock` if a stock has fewer free units than its line needs. */
function assertInStock(order: FullOrder, lines: readonly StockLine[]) {
  const shortLines = lines.filter(({ stock, units }) => stock.quantity - stock.reserved < units);
  if (shortLines.length === 0) return;
  const shortStockIds = new Set(shortLines.map(({ stock }) => stock.id));
  throw outOfStockError(
    order.items.data.flatMap(({ stock_row_id }, index) =>
      stock_row_id !== null && shortStockIds.has(stock_row_id) ? [index] : [],
    ),
  );
}
