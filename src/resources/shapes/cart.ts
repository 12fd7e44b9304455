import * as z from 'zod';
import { cartStatuses } from '../../db/schema/carts.ts';
import { dateTime } from '../../wire/datetime.ts';
import { shownMoney } from '../../wire/money.ts';
import { Customer } from './customer.ts';

const line = z.string();

const CartItem = z
  .object({
    id: z.int(),
    cart_id: z.int(),
    sku_id: z.int(),
    product_id: z.int(),
    sku: line,
    name: line.meta({ description: 'Name of the product.' }),
    title: line.nullable(),
    quantity: z.int(),
    price: shownMoney,
    value_total: shownMoney,
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'CartItem' });

const cartRow = {
  id: z.int(),
  merchant_id: z.int(),
  token: line,
  status: z.enum(cartStatuses),
  customer_id: z.int().nullable(),
  tracking_data: z
    .object({ name: line.nullable(), email: line.nullable(), phone: line.nullable() })
    .nullable()
    .meta({ description: 'A guest; null where the cart is a customer’s or nobody’s.' }),
  shipping: z.object({ service: line.nullable(), value: shownMoney }),
  order_id: z.int().nullable(),
  total_items: z.int(),
  value_products: shownMoney,
  value_total: shownMoney,
  reminded_at: dateTime.nullable(),
  abandoned_at: dateTime.nullable(),
  created_at: dateTime,
  updated_at: dateTime,
};

const items = z.object({ data: z.array(CartItem) });
const customer = z.object({ data: Customer.nullable() });

/** A cart (sources 3); its relations are there when they were asked for. */
export const Cart = z
  .object({ ...cartRow, items: items.optional(), customer: customer.optional() })
  .meta({ id: 'Cart' });

/** `resource` of cart.reminder: all includes. */
export const CartEvent = z.object({ ...cartRow, items, customer }).meta({ id: 'CartEvent' });

/** A cart with its items, as an event of the order that it became shows it. */
export const OrderedCart = z.object({ ...cartRow, items }).meta({ id: 'OrderedCart' });
