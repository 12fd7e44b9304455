import { orderStatusIds, type OrderStatus } from '../db/schema/orders.ts';

/** Where an order may go from each state (sources 4). */
export const orderArrows: Record<OrderStatus, readonly OrderStatus[]> = {
  waiting_payment: ['paid', 'refused', 'cancelled'],
  refused: ['waiting_payment', 'cancelled'],
  paid: ['handling_products', 'invoiced', 'cancelled'],
  handling_products: ['invoiced', 'ready_for_shipping', 'cancelled'],
  invoiced: ['ready_for_shipping', 'on_carriage', 'cancelled'],
  ready_for_shipping: ['on_carriage', 'cancelled'],
  on_carriage: ['delivered', 'shipment_exception'],
  shipment_exception: ['on_carriage', 'delivered', 'cancelled'],
  delivered: [],
  cancelled: [],
};

/** Every state, by its number. */
export const orderStatuses = (Object.keys(orderStatusIds) as OrderStatus[]).toSorted(
  (one, other) => orderStatusIds[one] - orderStatusIds[other],
);

/**
 * Where an order may go now: the arrows of its state, of which an invoiced order may take the one into cancelled only
 * once every invoice is cancelled.
 */
export const nextStatuses = (order: { status: OrderStatus; open_invoices: number }) =>
  orderArrows[order.status].filter(
    (to) => order.status !== 'invoiced' || to !== 'cancelled' || order.open_invoices === 0,
  );
