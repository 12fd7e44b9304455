import { InvalidBody, type FieldErrors } from '../problem.ts';
import type { NewItem } from './new-order.ts';
import { outOfStock } from './out-of-stock.ts';
import type { StockLine } from './stock-step.ts';
import type { StockedSku } from './stocked-skus.ts';

/** An item with the SKU that it names, its price in cents, and where its units are taken from. */
export interface OrderLine {
  sku: StockedSku;
  units: number;
  price: number;
  /** `undefined` where the quantity of the SKU is not managed. */
  stock: StockLine['stock'] | undefined;
}

/**
 * The items of a new order with what they are. Throws an `InvalidBody` for SKUs that the store does not have or does not
 * sell now, and 409 `out_of_stock` for those of which no place has enough; both name `items.N.sku_id`.
 */
export function orderLines(items: readonly NewItem[], skus: readonly StockedSku[]): OrderLine[] {
  const errors: FieldErrors = {};
  const short: number[] = [];
  const lines = items.flatMap(({ sku_id, quantity: units, price }, place) => {
    const sku = skus.find(({ id }) => id === sku_id);
    if (!sku || sku.blocked_sale) {
      const sentence = sku ? 'This SKU is blocked for sale.' : 'No such SKU in this store.';
      errors[`items.${place}.sku_id`] = [sentence];
      return [];
    }
    const stock = sku.stocks.data.find(({ quantity, reserved }) => quantity - reserved >= units);
    if (sku.quantity_managed && !stock) short.push(place);
    return [
      {
        sku,
        units,
        price: price ?? sku.price_discount ?? sku.price_sale,
        stock: sku.quantity_managed ? stock : undefined,
      },
    ];
  });
  if (Object.keys(errors).length > 0) throw new InvalidBody(errors);
  if (short.length > 0) throw outOfStock(short);
  return lines;
}

/** Those whose units are kept count of. */
export const managedLines = (lines: readonly OrderLine[]): StockLine[] =>
  lines.flatMap(({ sku, units, stock }) => (stock ? [{ sku, units, stock }] : []));
