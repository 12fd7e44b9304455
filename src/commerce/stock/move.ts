import { sql } from 'drizzle-orm';
import type * as z from 'zod';
import { StockEventSchema } from '../../api/skus/schema.ts';
import { runInZone } from '../../base/codecs/fields/zone.ts';
import { compileSerializer } from '../../base/codecs/serializer.ts';
import { conflict, type HttpError } from '../../base/errors.ts';
import type { Statement } from '../../data/core/statement.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { Row } from '../../data/core/store-table.ts';
import { moveStockStatements } from '../../data/queries/orders.ts';
import { stocks } from '../../data/schema/store/catalog-tables.ts';
import type { StoreEvent } from '../../webhooks/events/publish.ts';
import type { StockEffect } from './effects.ts';
import type { StockedSku } from './skus.ts';

const serializeEvent = compileSerializer(StockEventSchema);

/** Units of a SKU and the stock that they are taken from. */
export interface StockLine {
  sku: StockedSku;
  stock: Row<typeof stocks>;
  units: number;
}

type EventSku = z.input<typeof StockEventSchema>['sku']['data'];

/** Statements and events of one batch. */
export interface BatchPlan {
  statements: Statement[];
  events: StoreEvent[];
}

/**
 * Plans how an order changes the stock: one statement for any number of items, and one `product.inventory.updated` per SKU.
 * The quantities in the events are read inside the batch, because concurrent orders change the same stock. If too few units
 * are left, the batch fails with a `ConflictError`; the retry reads the stock again and throws `out_of_stock`.
 */
export function planStockMove(
  db: StoreDb,
  lines: readonly StockLine[],
  effect: StockEffect,
): BatchPlan {
  if (lines.length === 0) return { statements: [], events: [] };
  return {
    statements: moveStockStatements(
      db,
      lines.map(({ stock, units }) => ({ id: stock.id, units })),
      effect,
    ),
    events: lines.map((line) => toStockMovedEvent(db, line)),
  };
}

/** Returns the event of a stock that changes. The transaction itself reads its quantities, because others change them too. */
export function toStockMovedEvent(
  db: StoreDb,
  { sku, stock }: { sku: EventSku; stock: Row<typeof stocks> },
): StoreEvent {
  const fromStock = sql`from ${stocks} where ${stocks.id} = ${stock.id}`;
  return {
    name: 'product.inventory.updated',
    resource: serializeStockEvent(db, { sku, stock }),
    stored: {
      quantity: sql`select ${stocks.quantity} ${fromStock}`,
      reserved: sql`select ${stocks.reserved} ${fromStock}`,
      min_quantity: sql`select ${stocks.min_quantity} ${fromStock}`,
      'sku.data.total_in_stock': sql`select sum(${stocks.quantity} - ${stocks.reserved})
        from ${stocks} where ${stocks.sku_id} = ${sku.id}`,
    },
  };
}

/** The resource of a stock event, with the quantities that were read. */
export const serializeStockEvent = (
  db: StoreDb,
  { sku, stock }: { sku: EventSku; stock: Row<typeof stocks> },
) =>
  runInZone(db.store.zone, () =>
    serializeEvent({ ...stock, updated_at: db.now, sku: { data: sku } }),
  );

/** 409 `out_of_stock`, which names the items at these indexes of the order. */
export const outOfStockError = (indexes: readonly number[]): HttpError =>
  conflict(
    'out_of_stock',
    Object.fromEntries(
      indexes.map((index) => [`items.${index}.sku_id`, ['Not enough stock of this SKU.']]),
    ),
  );
