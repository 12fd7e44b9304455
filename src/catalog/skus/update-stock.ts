import { and, eq, ne, sql, type SQL } from 'drizzle-orm';
import { conflict, type FieldErrors, ValidationError } from '../../base/errors.ts';
import { retryInTurns } from '../../data/core/retry-contention.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { Row } from '../../data/core/store-table.ts';
import { toOne } from '../../data/queries/relations.ts';
import { skus, stocks } from '../../data/schema/store/catalog-tables.ts';
import { publish } from '../../webhooks/events/publish.ts';
import { movedFields, toStockMovedEvent } from '../stock/stock.ts';
import { maxQuantity, type StockChanges } from './requests.ts';
import { skuExtras } from './schema.ts';

type Stock = Row<typeof stocks>;

/**
 * Updates a stock, and publishes an event if the quantity changes. Sets only what was sent, and
 * adds a `delta` to the quantity as it is then, so writers do not wait for each other. One round
 * trip, two if anything changes.
 */
export const updateStock = (
  db: StoreDb,
  { id, stockId }: { id: number; stockId: number },
  body: StockChanges,
) =>
  retryInTurns(db, [skus, id], async () => {
    const isStock = and(eq(stocks.sku_id, id), eq(stocks.stock_id, stockId));
    const [found] = await db.batch([
      db.select(stocks, { where: isStock, extras: { sku: skuOfStock } }),
    ]);
    const stored = found[0];
    const sku = stored?.sku.data;
    if (!stored || !sku) return undefined;
    const { sku: _sku, ...before } = stored;
    assertStockAllows(before, body);
    const { min_quantity } = body;
    const moves = movesStock(before, body);
    const hasNewMinimum = (min_quantity ?? before.min_quantity) !== before.min_quantity;
    if (!moves && !hasNewMinimum) return before;
    const changed = [...movedFields(), ...(hasNewMinimum ? ['min_quantity'] : [])];
    const [rows] = await publish(
      db,
      [
        db.updateStatement(stocks, and(isStock, stillAllows(body), stillMoves(body, moves)), {
          ...(moves && { quantity: body.quantity ?? sql`${stocks.quantity} + ${body.delta}` }),
          ...(min_quantity !== undefined && { min_quantity }),
        }),
        db.assertChanged(),
      ],
      moves ? [toStockMovedEvent(db, { sku, stock: before }, changed)] : [],
    );
    return rows[0];
  });

/** The SKU of a stock. */
export const skuOfStock = toOne(skus, eq(skus.id, stocks.sku_id), skuExtras);

const movesStock = ({ quantity }: Stock, body: StockChanges) =>
  body.quantity === undefined ? Boolean(body.delta) : body.quantity !== quantity;

function assertStockAllows({ quantity, reserved }: Stock, body: StockChanges) {
  if (body.expected_quantity !== undefined && body.expected_quantity !== quantity) {
    throw conflict('quantity_changed', { expected_quantity: ['Must be the stored quantity.'] });
  }
  const errors = stockErrors({ quantity, reserved }, body);
  if (errors) throw new ValidationError(errors);
}

/** The errors of a new quantity, or of a `delta`. */
export function stockErrors(
  { quantity, reserved }: Pick<Stock, 'quantity' | 'reserved'>,
  body: { quantity?: number | undefined; delta?: number | undefined },
): FieldErrors | undefined {
  const next = body.quantity ?? quantity + (body.delta ?? 0);
  if (next >= reserved && next <= maxQuantity) return undefined;
  return {
    [body.delta === undefined ? 'quantity' : 'delta']: [
      'Must leave at least the reserved quantity, and at most 1,000,000,000.',
    ],
  };
}

/**
 * {@link assertStockAllows} as a condition of the update, since a concurrent request may change the
 * stock after it was read.
 */
function stillAllows({ quantity, delta = 0, expected_quantity: expected }: StockChanges) {
  const next = quantity ?? sql`${stocks.quantity} + ${delta}`;
  return and(
    sql`${next} between ${stocks.reserved} and ${maxQuantity}`,
    expected === undefined ? undefined : eq(stocks.quantity, expected),
  );
}

/**
 * The condition that the quantity that was sent still is another one, or still the same, as when
 * the event was planned.
 */
function stillMoves({ quantity }: StockChanges, moves: boolean): SQL | undefined {
  if (quantity === undefined) return undefined;
  return moves ? ne(stocks.quantity, quantity) : eq(stocks.quantity, quantity);
}
