import { InvalidBody } from '../problem.ts';
import { MAX_CENTS } from '../wire/money.ts';

/**
 * What an order comes to, in cents. Throws an `InvalidBody` when the discount is more than the rest, or the total is more
 * than an amount may be.
 */
export function orderAmounts(
  lines: readonly { units: number; price: number }[],
  values: { value_shipment: number; value_discount: number; value_tax: number },
) {
  const { value_shipment, value_discount, value_tax } = values;
  const value_products = lines.reduce((sum, { units, price }) => sum + units * price, 0);
  const before = value_products + value_shipment + value_tax;
  if (before > MAX_CENTS) throw new InvalidBody({ items: ['Must come to at most 99,999,999.99.'] });
  if (value_discount > before) {
    throw new InvalidBody({ value_discount: ['Must be at most what it is taken from.'] });
  }
  return {
    value_products,
    value_shipment,
    value_discount,
    value_tax,
    value_total: before - value_discount,
  };
}
