import type { OrderStatus } from '../../data/schema/store/orders-tables.ts';

/** How one ordered unit changes a stock: `quantity` is on hand, `reserved` is promised to orders. */
export interface StockEffect {
  quantity: -1 | 0 | 1;
  reserved: -1 | 0 | 1;
}

/** A new order reserves its units. */
export const reserveEffect: StockEffect = { quantity: 0, reserved: 1 };

/** A new order that was paid elsewhere takes its units at once. */
export const sellEffect: StockEffect = { quantity: -1, reserved: 0 };

const commitEffect: StockEffect = { quantity: -1, reserved: -1 };
const releaseEffect: StockEffect = { quantity: 0, reserved: -1 };
const restockEffect: StockEffect = { quantity: 1, reserved: 0 };

const shippedStatuses = new Set<OrderStatus>(['on_carriage', 'shipment_exception', 'delivered']);

/**
 * Returns how a transition changes the stock, or `undefined` if it does not. Cancelling a paid order before it is shipped
 * restocks its units. Shipped units that come back are restocked by hand.
 */
export function stockEffectOf(from: OrderStatus, to: OrderStatus): StockEffect | undefined {
  if (from === 'waiting_payment') return to === 'paid' ? commitEffect : releaseEffect;
  if (from === 'refused') return to === 'waiting_payment' ? reserveEffect : undefined;
  return to === 'cancelled' && !shippedStatuses.has(from) ? restockEffect : undefined;
}
