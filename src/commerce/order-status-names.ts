import { orderStatusIds, type OrderStatus } from '../db/schema/orders.ts';

const names: Record<OrderStatus, string> = {
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

/** A state of an order as it is shown: number, alias and name. */
export const shownStatus = (status: OrderStatus) => ({
  id: orderStatusIds[status],
  alias: status,
  name: names[status],
});
