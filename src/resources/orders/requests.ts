import * as z from 'zod';
import { orderStatusIds, type OrderStatus } from '../../db/schema/orders.ts';
import { id } from '../../wire/id.ts';
import { list, onlyOnce } from '../../wire/list.ts';
import { moment } from '../../wire/moment.ts';
import { money } from '../../wire/money.ts';
import { int } from '../../wire/number.ts';
import { object } from '../../wire/object.ts';
import { orNull } from '../../wire/or-null.ts';
import { request } from '../../wire/request.ts';
import { line } from '../../wire/text.ts';
import { url } from '../../wire/url.ts';
import { choice } from '../../wire/words.ts';
import { NewAddress } from '../shapes/address-request.ts';
import { oneAddress } from '../shapes/one-address.ts';
import { paymentChoice } from '../shapes/payment-choice.ts';

const words = Object.keys(orderStatusIds) as OrderStatus[];
const numbers = Object.values(orderStatusIds);
const named = `Must be one of ${numbers.join(', ')}.`;

/** A state by its number or by its alias; sent both ways, it is the same one. */
const state = {
  status_id: [z.optional(z.literal(numbers, { error: named })), undefined],
  status: [z.optional(choice(words)), undefined],
} as const;

type Sent = { status_id?: number | undefined; status?: OrderStatus | undefined };

/** The state that a body names, if it names one. */
export const stateOf = ({ status_id, status }: Sent): OrderStatus | undefined =>
  status ?? words.find((word) => orderStatusIds[word] === status_id);

function refuseContradiction(body: Sent, context: z.core.$RefinementCtx) {
  if (body.status_id === undefined || body.status === undefined) return;
  if (orderStatusIds[body.status] !== body.status_id) {
    context.addIssue({
      code: 'custom',
      path: ['status'],
      message: 'Must be the state that status_id names.',
    });
  }
}

const item = object({
  sku_id: id(),
  quantity: int(1, 1_000_000),
  price: z.optional(money),
});

const utm = [orNull(line(255)), null] as const;

/** The body of POST orders (sources 4). */
export const NewOrderRequest = request({
  required: {
    customer_id: id(),
    items: list(item, { min: 1, max: 100 }).superRefine(onlyOnce(({ sku_id }) => sku_id, 'sku_id')),
  },
  optional: {
    ...state,
    ...paymentChoice,
    shipping_address_id: [z.optional(id()), undefined],
    shipping_address: [z.optional(NewAddress), undefined],
    value_shipment: [money, 0],
    value_discount: [money, 0],
    value_tax: [money, 0],
    payment_id: [z.optional(id()), undefined],
    shipment_service: [orNull(line(100)), null],
    utm_source: utm,
    utm_medium: utm,
    utm_campaign: utm,
    utm_term: utm,
    utm_content: utm,
    metadata: [list(object({ key: line(100), value: line(1000) }), { max: 50 }), []],
  },
}).post.superRefine((body, context) => {
  refuseContradiction(body, context);
  const first = stateOf(body);
  if (first !== undefined && first !== 'waiting_payment' && first !== 'paid') {
    const message = 'Must be one of waiting_payment, paid.';
    context.addIssue({ code: 'custom', path: ['status_id'], message });
  }
  oneAddress(body, context);
});

/** The body of PUT orders: another state, and how it travels. */
export const OrderChanges = request({
  optional: {
    ...state,
    track_code: [orNull(line(100)), null],
    track_url: [orNull(url()), null],
    date_delivery: [orNull(moment), null],
  },
}).put.superRefine(refuseContradiction);

export type NewOrderRequest = z.output<typeof NewOrderRequest>;
