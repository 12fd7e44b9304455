import * as z from 'zod';
import { orderTransitions, serializeOrderStatus } from '../../commerce/orders/state-machine.ts';
import type { OrderStatus } from '../../db/schema/store/orders.ts';
import { OrderStatusSchema } from '../../schemas/checkout/order.ts';

/** An order status with the aliases of those that may follow. */
export const OrderStateSchema = OrderStatusSchema.extend({ next: z.array(z.string()) }).meta({
  id: 'OrderState',
});

export const serializeOrderState = (status: OrderStatus) => ({
  ...serializeOrderStatus(status),
  next: [...orderTransitions[status]],
});
