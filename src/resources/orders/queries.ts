import * as z from 'zod';
import { explain } from '../../codecs/meaning.ts';
import { orderTransitions, serializeOrderStatus } from '../../commerce/orders/state-machine.ts';
import { orderStatusAliases, type OrderStatus } from '../../db/schema/store/orders.ts';
import { orderStatusMeanings, OrderStatusSchema } from '../../schemas/checkout/order.ts';

/** An order status with the aliases of those that may follow. */
export const OrderStateSchema = OrderStatusSchema.extend({
  next: z.array(z.enum(orderStatusAliases)),
}).meta({ id: 'OrderState' });

/* @__PURE__ */ explain(
  OrderStateSchema,
  'A status of orders with those that may follow it.',
  orderStatusMeanings,
  { next: 'Statuses that may follow, by alias; empty for a final one.' },
);

export const serializeOrderState = (status: OrderStatus) => ({
  ...serializeOrderStatus(status),
  next: [...orderTransitions[status]],
});
