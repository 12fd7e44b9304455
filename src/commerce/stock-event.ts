import type * as z from 'zod';
import type { StoreDb } from '../db/store.ts';
import type { StoreEvent } from '../events/publish.ts';
import { StockEvent } from '../resources/shapes/product.ts';
import { inZone } from '../wire/zone.ts';

/** An event of a stock, which is shown with its SKU. */
export function stockEvent(db: StoreDb, stock: z.input<typeof StockEvent>): StoreEvent {
  const resource = inZone(db.store.zone, () => StockEvent.parse(stock));
  return { name: 'product.inventory.updated', resource };
}
