import { and, eq } from 'drizzle-orm';
import type * as z from 'zod';
import { stockEvent } from '../../commerce/stock-event.ts';
import { untilFresh } from '../../db/fresh.ts';
import { one } from '../../db/relations.ts';
import { skus, stocks } from '../../db/schema/store.ts';
import type { StoreDb } from '../../db/store.ts';
import { publish } from '../../events/publish.ts';
import { conflict, InvalidBody } from '../../problem.ts';
import { int } from '../../wire/number.ts';
import { request } from '../../wire/request.ts';
import { stockTotal } from '../shapes/product-reading.ts';

const most = 1_000_000_000;

/** Either `quantity` (sets; with `expected_quantity` only from that one) or `delta` (adds). */
export const StockChanges = request({
  optional: {
    quantity: [int(0, most), 0],
    expected_quantity: [int(0, most), 0],
    delta: [int(-most, most), 0],
    min_quantity: [int(0, most), 0],
  },
}).put.superRefine((body, context) => {
  const refuse = (field: string, message: string) =>
    context.addIssue({ code: 'custom', path: [field], message });
  if (body.quantity !== undefined && body.delta !== undefined) {
    refuse('delta', 'Must not stand beside quantity.');
  }
  if (body.expected_quantity !== undefined && body.quantity === undefined) {
    refuse('expected_quantity', 'Must stand beside quantity.');
  }
  if (body.quantity === undefined && body.delta === undefined && body.min_quantity === undefined) {
    refuse('quantity', 'Required.');
  }
});

/** Changes a stock and tells of it if the quantity moved. One round trip, two with a change. */
export const changeStock = (
  db: StoreDb,
  { id, stockId }: { id: number; stockId: number },
  body: z.output<typeof StockChanges>,
) =>
  untilFresh(async () => {
    const place = and(eq(stocks.sku_id, id), eq(stocks.stock_id, stockId));
    const [found] = await db.batch([
      db.select(stocks, { where: place, extras: { sku: withTotal } }),
    ]);
    const before = found[0];
    const sku = before?.sku.data;
    if (!before || !sku) return undefined;
    const quantity = body.quantity ?? before.quantity + (body.delta ?? 0);
    if (body.expected_quantity !== undefined && body.expected_quantity !== before.quantity) {
      throw conflict('quantity_changed', {
        expected_quantity: ['Must be the quantity that is stored.'],
      });
    }
    if (quantity < before.reserved || quantity > most) {
      const field = body.delta === undefined ? 'quantity' : 'delta';
      throw new InvalidBody({
        [field]: ['Must leave at least what is reserved, and at most 1,000,000,000.'],
      });
    }
    const changes = { quantity, min_quantity: body.min_quantity ?? before.min_quantity };
    const hasMoved = quantity !== before.quantity;
    if (!hasMoved && changes.min_quantity === before.min_quantity) return before;
    const after = { ...before, ...changes, updated_at: db.now };
    const total_in_stock = sku.total_in_stock + quantity - before.quantity;
    await publish(
      db,
      [
        db.change(
          stocks,
          and(place, eq(stocks.quantity, before.quantity), eq(stocks.reserved, before.reserved)),
          changes,
        ),
        db.mustHaveChanged(),
      ],
      hasMoved ? [stockEvent(db, { ...after, sku: { data: { ...sku, total_in_stock } } })] : [],
    );
    return after;
  });

const withTotal = one(skus, eq(skus.id, stocks.sku_id), stockTotal);
