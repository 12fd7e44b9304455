import * as z from 'zod';
import { moneyOutput } from '../../codecs/fields/scalars.ts';
import { dateTime } from '../../codecs/time/date-time.ts';
import { cartStatuses } from '../../db/schema/store/carts.ts';
import { customerRelation } from './customer.ts';

const line = z.string();

const CartItemSchema = z
  .object({
    id: z.int(),
    cart_id: z.int(),
    sku_id: z.int(),
    product_id: z.int(),
    sku: line,
    name: line.meta({ description: 'Name of the product.' }),
    title: line.nullable(),
    quantity: z.int(),
    price: moneyOutput,
    value_total: moneyOutput,
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
    .meta({
      description:
        'Contact details of a guest; null when the cart belongs to a customer or has no contact details.',
    }),
  shipping: z.object({ service: line.nullable(), value: moneyOutput }),
  order_id: z.int().nullable(),
  total_items: z.int(),
  value_products: moneyOutput,
  value_total: moneyOutput,
  reminded_at: dateTime.nullable(),
  abandoned_at: dateTime.nullable(),
  created_at: dateTime,
  updated_at: dateTime,
};

const items = z.object({ data: z.array(CartItemSchema) });

/** A cart with the relations that `include` names. */
export const CartSchema = z
  .object({ ...cartRow, items: items.optional(), customer: customerRelation.optional() })
  .meta({ id: 'Cart' });

/** `resource` of cart.reminder, with all relations. */
export const CartEventSchema = z
  .object({ ...cartRow, items, customer: customerRelation })
  .meta({ id: 'CartEvent' });

/** A cart in an event of the order that it became. */
export const OrderedCartSchema = z.object({ ...cartRow, items }).meta({ id: 'OrderedCart' });
