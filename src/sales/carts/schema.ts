import * as z from 'zod';
import { dateTime, recordTimes } from '../../base/codecs/fields/date-time.ts';
import { idOutput, merchantId } from '../../base/codecs/fields/ids.ts';
import { moneyOutput } from '../../base/codecs/fields/scalars.ts';
import { explainEnum, explain } from '../../base/codecs/meaning.ts';
import { writtenOutside } from '../../base/codecs/written-outside.ts';
import { cartStatuses } from '../../data/schema/store/carts-tables.ts';
import { customerRelation } from '../customers/schema.ts';

const line = z.string();

export const CartItemSchema = z
  .object({
    id: idOutput,
    cart_id: z.int(),
    sku_id: z.int(),
    product_id: z.int(),
    sku: line,
    name: line,
    title: line.nullable(),
    quantity: z.int(),
    price: moneyOutput,
    value_total: moneyOutput,
    ...recordTimes,
  })
  .meta({ id: 'CartItem' });

/* @__PURE__ */ explain(CartItemSchema, 'A SKU in a cart, at its current price.', {
  cart_id: 'Cart that the item lies in.',
  sku_id: 'SKU that the buyer wants; deleting it takes it out of carts.',
  product_id: 'The product that the SKU is a variant of.',
  sku: 'Your code of the SKU.',
  name: 'How the shop shows what is bought.',
  title: 'What tells the SKU from other variants; null for the only one.',
  quantity: 'Units that the buyer wants; nothing is reserved before the order.',
  price: 'Price of one unit now: price_discount of the SKU, else price_sale. The order keeps it.',
  value_total: 'price times quantity.',
});

export const GuestSchema = z.object({
  name: line.nullable().describe('Name of the guest, for greetings; needed to order.'),
  email: line
    .nullable()
    .describe('E-mail address of the guest; needed to order, and to be reminded by e-mail.'),
  phone: line
    .nullable()
    .describe('Phone number of the guest: digits, with a plus sign if one was sent.'),
});

export const CartShippingSchema = z.object({
  service: line
    .nullable()
    .describe('Shipping in the words of the shop; becomes shipment_service of the order.'),
  value: moneyOutput.describe('What shipping costs; becomes value_shipment of the order.'),
});

const cartRow = {
  id: idOutput,
  merchant_id: merchantId,
  token: line,
  status: z.enum(cartStatuses),
  customer_id: z.int().nullable(),
  tracking_data: writtenOutside(GuestSchema.nullable()),
  shipping: CartShippingSchema,
  order_id: z.int().nullable(),
  total_items: z.int(),
  value_products: moneyOutput,
  value_total: moneyOutput,
  reminded_at: dateTime.nullable(),
  abandoned_at: dateTime.nullable(),
  ...recordTimes,
};

const cartMeanings = {
  token: 'Random text that identifies the cart towards the buyer, for a link back to it.',
  status:
    'open, abandoned (idle, reminded), converted (became an order) or expired (30 days without an edit).',
  customer_id: 'Customer who owns the cart; null for a guest, and after the customer is deleted.',
  tracking_data:
    'Contact details of a guest; null when the cart belongs to a customer or has no contact details.',
  shipping: 'The shipping that the buyer chose.',
  order_id: 'Order that the cart became; null until then.',
  total_items: 'Units of all items together.',
  value_products: 'Sum of the items at current prices.',
  value_total: 'value_products and the shipping together.',
  reminded_at: 'When cart.reminder was last sent since the last edit; null for never.',
  abandoned_at: 'When the cart became abandoned; null while open. An edit opens it again.',
};

const items = z.object({ data: z.array(CartItemSchema) }).describe('Up to 100 items, by id.');

/** A cart with the relations that `include` names. */
export const CartSchema = z
  .object({
    ...cartRow,
    items: items.optional(),
    customer: customerRelation.optional(),
  })
  .meta({ id: 'Cart' });

/* @__PURE__ */ explain(
  CartSchema,
  'What a buyer wants before ordering. Amounts follow the current prices of the SKUs.',
  cartMeanings,
);

/** `resource` of cart.reminder, with all relations. */
export const CartEventSchema = z
  .object({ ...cartRow, items, customer: customerRelation })
  .meta({ id: 'CartEvent' });

/* @__PURE__ */ explain(
  CartEventSchema,
  'A cart as cart.reminder carries it, with all relations.',
  cartMeanings,
);

/** A cart in an event of the order that it became. */
export const OrderedCartSchema = z.object({ ...cartRow, items }).meta({ id: 'OrderedCart' });

/* @__PURE__ */ explain(OrderedCartSchema, 'The cart that an order came from.', cartMeanings);

/* @__PURE__ */ explainEnum('CartStatus', 'Whether a cart can still become an order.', {
  open: 'Can be changed and ordered.',
  abandoned:
    'Idle for cart_idle_minutes with contact details; cart.reminder is sent. A change opens it again.',
  converted: 'Became the order in order_id. Final.',
  expired: '30 days passed without an edit. Final.',
});
