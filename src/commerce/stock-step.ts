import { sql } from 'drizzle-orm';
import { stocks } from '../db/schema/store.ts';
import type { Statement } from '../db/statement.ts';
import { stockMove } from '../db/stock-moves.ts';
import type { StoreDb } from '../db/store.ts';
import type { Row } from '../db/table.ts';
import type { StoreEvent } from '../events/publish.ts';
import type { StockEffect } from './stock-effect.ts';
import { stockEvent } from './stock-event.ts';
import type { StockedSku } from './stocked-skus.ts';

/** Units of a SKU at the place that they are taken from. */
export interface StockLine {
  sku: StockedSku;
  stock: Row<typeof stocks>;
  units: number;
}

/** Statements of a batch and the events that go with them. */
export interface Step {
  statements: Statement[];
  events: StoreEvent[];
}

/**
 * What an order does to the stock: one statement whatever its number of items, and one product.inventory.updated per
 * SKU. Numbers in the events are read in the transaction itself, because many orders move one stock at once; whoever
 * finds too little left is rolled back as a `StaleRevision` and finds out on reading again.
 */
export function stockStep(db: StoreDb, lines: readonly StockLine[], effect: StockEffect): Step {
  if (lines.length === 0) return { statements: [], events: [] };
  return {
    statements: stockMove(
      db,
      lines.map(({ stock, units }) => ({ id: stock.id, units })),
      effect,
    ),
    events: lines.map((line) => movedEvent(db, line)),
  };
}

function movedEvent(db: StoreDb, { sku, stock }: StockLine): StoreEvent {
  const moved = { ...stock, updated_at: db.now, sku: { data: sku } };
  const here = sql`from ${stocks} where ${stocks.id} = ${stock.id}`;
  return {
    ...stockEvent(db, moved),
    stored: {
      quantity: sql`select ${stocks.quantity} ${here}`,
      reserved: sql`select ${stocks.reserved} ${here}`,
      'sku.data.total_in_stock': sql`select sum(${stocks.quantity} - ${stocks.reserved})
        from ${stocks} where ${stocks.sku_id} = ${sku.id}`,
    },
  };
}
