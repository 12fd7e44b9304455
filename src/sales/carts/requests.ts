import type * as z from 'zod';
import { arrayOf, uniqueBy } from '../../base/codecs/fields/arrays-and-objects.ts';
import { recordId } from '../../base/codecs/fields/ids.ts';
import { orNull } from '../../base/codecs/fields/nullable.ts';
import { money, int } from '../../base/codecs/fields/scalars.ts';
import { email, phone } from '../../base/codecs/fields/string-formats.ts';
import { line } from '../../base/codecs/fields/text.ts';
import { explainBodies, explainBody, explainChanges } from '../../base/codecs/meaning.ts';
import { requestBodies } from '../../base/codecs/request-bodies.ts';
import {
  customerId,
  paymentFields,
  requireOneAddress,
  shippingFields,
} from '../checkout-fields.ts';
import { CartItemSchema, CartSchema, CartShippingSchema, GuestSchema } from './schema.ts';

const item = requestBodies({ required: { sku_id: recordId(), quantity: int(1, 10_000) } }).post;

/* @__PURE__ */ explainBody(item, CartItemSchema, {
  CartItemInput: 'A SKU in a cart, and how many units of it.',
});

const items = arrayOf(item, { min: 1, max: 100 }).superRefine(
  uniqueBy(({ sku_id }) => sku_id, 'sku_id'),
);

const guest = requestBodies({
  optional: {
    name: [orNull(line(200)), null],
    email: [orNull(email), null],
    phone: [orNull(phone), null],
  },
});

/* @__PURE__ */ explainBodies(guest, GuestSchema, {
  CartTrackingDataInput: 'Contact details of a guest.',
  CartTrackingDataPatch: 'The contact details of a guest to change.',
});

const shipping = requestBodies({
  optional: { service: [orNull(line(100)), null], value: [money, 0] },
});

/* @__PURE__ */ explainBodies(shipping, CartShippingSchema, {
  CartShippingInput: 'The shipping that the buyer chose.',
  CartShippingPatch: 'What changes of the shipping that the buyer chose.',
});

const fields = {
  shipping: [{ post: shipping.post, put: shipping.put }, {}],
  customer_id: [orNull(customerId), null],
  tracking_data: [{ post: orNull(guest.post), put: orNull(guest.put) }, null],
} as const;

interface OwnerFields {
  customer_id?: number | null | undefined;
  tracking_data?: object | null | undefined;
}

/** Refinement: a cart belongs to a customer or to a guest, never both. */
function requireOneOwner(
  { customer_id, tracking_data }: OwnerFields,
  context: z.core.$RefinementCtx,
) {
  if (!customer_id || !tracking_data) return;
  const message = 'Must not be sent together with customer_id.';
  context.addIssue({ code: 'custom', path: ['tracking_data'], message });
}

export const NewCart = requestBodies({ required: { items }, optional: fields }).post.superRefine(
  requireOneOwner,
);

/* @__PURE__ */ explainBody(NewCart, CartSchema, {
  CartInput: 'A new cart for a customer or a guest, with what is in it.',
});

/** Any subset of a cart; items are replaced as a whole. */
export const CartChanges = requestBodies({
  optional: { ...fields, items: [items, []] },
}).put.superRefine(requireOneOwner);

/* @__PURE__ */ explainChanges(CartChanges, CartSchema, {
  CartPatch: 'The fields of a cart to change; items replaces all of them.',
});

/** The body of POST carts/{id}/orders: payment and shipping address. */
export const CheckoutRequest = requestBodies({
  required: {
    payment_id: recordId().describe(
      'Payment type that the buyer chose; it must be active in the store.',
    ),
  },
  optional: {
    ...paymentFields,
    ...shippingFields,
  },
}).post.superRefine(requireOneAddress);

/* @__PURE__ */ explainBody(CheckoutRequest, {
  OrderCartInput: 'How the buyer pays, and where the order goes: the rest is in the cart.',
});

export type NewCart = z.output<typeof NewCart>;
export type CartChanges = z.output<typeof CartChanges>;
