import * as z from 'zod';
import { email } from '../../wire/email.ts';
import { id } from '../../wire/id.ts';
import { list, onlyOnce } from '../../wire/list.ts';
import { money } from '../../wire/money.ts';
import { int } from '../../wire/number.ts';
import { orNull } from '../../wire/or-null.ts';
import { phone } from '../../wire/phone.ts';
import { request } from '../../wire/request.ts';
import { line } from '../../wire/text.ts';
import { NewAddress } from '../shapes/address-request.ts';
import { oneAddress } from '../shapes/one-address.ts';
import { paymentChoice } from '../shapes/payment-choice.ts';

const item = request({ required: { sku_id: id(), quantity: int(1, 10_000) } }).post;

const items = list(item, { min: 1, max: 100 }).superRefine(
  onlyOnce(({ sku_id }) => sku_id, 'sku_id'),
);

const guest = request({
  optional: {
    name: [orNull(line(200)), null],
    email: [orNull(email), null],
    phone: [orNull(phone), null],
  },
});

const shipping = request({ optional: { service: [orNull(line(100)), null], value: [money, 0] } });

const fields = {
  shipping: [{ post: shipping.post, put: shipping.put }, {}],
  customer_id: [orNull(id()), null],
  tracking_data: [{ post: orNull(guest.post), put: orNull(guest.put) }, null],
} as const;

interface Owned {
  customer_id?: number | null | undefined;
  tracking_data?: object | null | undefined;
}

/** A cart is a customer's or a guest's. */
function ofOne({ customer_id, tracking_data }: Owned, context: z.core.$RefinementCtx) {
  if (!customer_id || !tracking_data) return;
  const message = 'Must not stand beside customer_id.';
  context.addIssue({ code: 'custom', path: ['tracking_data'], message });
}

/** The body of POST carts (sources 3). */
export const NewCart = request({ required: { items }, optional: fields }).post.superRefine(ofOne);

/** Any subset of a cart; items are replaced as a whole. */
export const CartChanges = request({ optional: { ...fields, items: [items, []] } }).put.superRefine(
  ofOne,
);

/** The body of POST carts/{id}/orders: how it is paid, and where it goes. */
export const Checkout = request({
  required: { payment_id: id() },
  optional: {
    ...paymentChoice,
    shipping_address_id: [z.optional(id()), undefined],
    shipping_address: [z.optional(NewAddress), undefined],
  },
}).post.superRefine(oneAddress);
export type NewCart = z.output<typeof NewCart>;
export type CartChanges = z.output<typeof CartChanges>;
