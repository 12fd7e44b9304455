import { ValidationError, type FieldErrors } from '../../base/errors.ts';
import { outOfStockError, type StockedSku, type StockLine } from '../../catalog/stock/stock.ts';
import type { NewOrderItem } from './new-order.ts';

/**
 * An item of an order with its SKU, its price in cents and the stock that its units are taken from.
 */
export interface OrderLine {
  sku: StockedSku;
  units: number;
  price: number;
  /** `undefined` if the quantity of the SKU is not managed. */
  stock: StockLine['stock'] | undefined;
}

/**
 * Resolves the items of a new order to SKUs, prices and stocks. Throws a `ValidationError` for
 * unknown or blocked SKUs, and 409 `out_of_stock` if no single stock has enough units. Both name
 * `items.N.sku_id`.
 */
export function resolveOrderLines(
  items: readonly NewOrderItem[],
  skus: readonly StockedSku[],
): OrderLine[] {
  const errors: FieldErrors = {};
  const shortItems: number[] = [];
  const lines = items.flatMap(({ sku_id, quantity: units, price }, index) => {
    const sku = skus.find(({ id }) => id === sku_id);
    if (!sku || sku.blocked_sale) {
      const message = sku ? 'This SKU is blocked for sale.' : 'No such SKU in this store.';
      errors[`items.${index}.sku_id`] = [message];
      return [];
    }
    const stock = sku.stocks.data.find(({ quantity, reserved }) => quantity - reserved >= units);
    if (sku.quantity_managed && !stock) shortItems.push(index);
    return [
      {
        sku,
        units,
        price: price ?? sku.price_discount ?? sku.price_sale,
        stock: sku.quantity_managed ? stock : undefined,
      },
    ];
  });
  if (Object.keys(errors).length > 0) throw new ValidationError(errors);
  if (shortItems.length > 0) throw outOfStockError(shortItems);
  return lines;
}

/** Returns the lines whose quantity is managed. */
export const toStockLines = (lines: readonly OrderLine[]): StockLine[] =>
  lines.flatMap(({ sku, units, stock }) => (stock ? [{ sku, units, stock }] : []));
