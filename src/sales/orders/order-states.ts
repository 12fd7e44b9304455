import { ValidationError } from '../../base/errors.ts';
import {
  orderStatusAliases,
  orderStatusIds,
  type OrderStatus,
} from '../../data/schema/store/orders-tables.ts';

/** The transitions of an order by its status (see README, Orders). */
export const orderTransitions: Record<OrderStatus, readonly OrderStatus[]> = {
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

/** All statuses, ordered by their ids. */
export const allOrderStatuses = orderStatusAliases.toSorted(
  (one, other) => orderStatusIds[one] - orderStatusIds[other],
);

/**
 * The statuses that an order can enter now. An invoiced order can be cancelled only after all its
 * invoices.
 */
export const allowedNextStatuses = (order: { status: OrderStatus; open_invoices: number }) =>
  orderTransitions[order.status].filter(
    (to) => order.status !== 'invoiced' || to !== 'cancelled' || order.open_invoices === 0,
  );

const orderStatusNames: Record<OrderStatus, string> = {
  waiting_payment: 'Waiting for payment',
  paid: 'Paid',
  handling_products: 'Handling products',
  on_carriage: 'On carriage',
  delivered: 'Delivered',
  cancelled: 'Cancelled',
  refused: 'Refused',
  invoiced: 'Invoiced',
  shipment_exception: 'Shipment exception',
  ready_for_shipping: 'Ready for shipping',
};

/** Serializes a status: id, alias and name. */
export const serializeOrderStatus = (status: OrderStatus) => ({
  id: orderStatusIds[status],
  alias: status,
  name: orderStatusNames[status],
});

/** The error of an invalid transition; its message lists the allowed statuses. */
export function invalidOrderTransition(
  order: Parameters<typeof allowedNextStatuses>[0],
): ValidationError {
  const next = allowedNextStatuses(order);
  const message =
    next.length > 0 ? `Must be one of ${next.join(', ')}.` : 'This order can no longer change.';
  return new ValidationError({ status_id: [message] });
}
