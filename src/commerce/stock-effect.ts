import type { OrderStatus } from '../db/schema/orders.ts';

/** What one unit of an order does to a stock: to what is there, and to what is promised. */
export interface StockEffect {
  quantity: -1 | 0 | 1;
  reserved: -1 | 0 | 1;
}

/** An order is made: its units are promised. */
export const reserve: StockEffect = { quantity: 0, reserved: 1 };

/** An order is made that is paid already: its units are gone. */
export const sell: StockEffect = { quantity: -1, reserved: 0 };

const commit: StockEffect = { quantity: -1, reserved: -1 };
const release: StockEffect = { quantity: 0, reserved: -1 };
const putBack: StockEffect = { quantity: 1, reserved: 0 };

const shipped = new Set<OrderStatus>(['on_carriage', 'shipment_exception', 'delivered']);

/**
 * What an arrow does to the stock (sources 1). Units of a paid order that is cancelled before it was shipped go back
 * on the shelf; those that were shipped are counted in by hand.
 */
export function stockEffect(from: OrderStatus, to: OrderStatus): StockEffect | undefined {
  if (from === 'waiting_payment') return to === 'paid' ? commit : release;
  if (from === 'refused') return to === 'waiting_payment' ? reserve : undefined;
  return to === 'cancelled' && !shipped.has(from) ? putBack : undefined;
}
