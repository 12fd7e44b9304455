import * as z from 'zod';
import { orderArrows } from '../../commerce/order-arrows.ts';
import { shownStatus } from '../../commerce/order-status-names.ts';
import type { OrderStatus as Word } from '../../db/schema/orders.ts';
import { OrderStatus } from '../shapes/order.ts';

/** A state of orders with the aliases of those that may follow. */
export const OrderState = OrderStatus.extend({ next: z.array(z.string()) }).meta({
  id: 'OrderState',
});

/** The state of an alias. */
export const orderState = (word: Word) => ({ ...shownStatus(word), next: [...orderArrows[word]] });
