import * as z from 'zod';
import { arrayOf, uniqueBy, object } from '../../base/codecs/fields/arrays-and-objects.ts';
import { dateTimeInput } from '../../base/codecs/fields/date-time.ts';
import { recordId } from '../../base/codecs/fields/ids.ts';
import { orNull } from '../../base/codecs/fields/nullable.ts';
import { money, int } from '../../base/codecs/fields/scalars.ts';
import { url } from '../../base/codecs/fields/string-formats.ts';
import { choice, code, line } from '../../base/codecs/fields/text.ts';
import { explainBody, explainChanges } from '../../base/codecs/meaning.ts';
import { requestBodies } from '../../base/codecs/request-bodies.ts';
import {
  orderStatusAliases,
  orderStatusIds,
  type OrderStatus,
} from '../../data/schema/store/orders-tables.ts';
import { restrictedTo } from '../../http/access/restricted-fields.ts';
import {
  customerId,
  paymentFields,
  requireOneAddress,
  shippingFields,
} from '../checkout-fields.ts';
import { BuyerRequest } from '../customers/requests.ts';
import { MetadataPairSchema } from '../metadata.ts';
import type { NewOrder } from './new-order.ts';
import { OrderSchema } from './schema.ts';

const statusIds = Object.values(orderStatusIds);
const statusIdMessage = `Must be one of ${statusIds.join(', ')}.`;

/** A status by id, by alias, or by both if they agree. */
const statusFields = {
  status_id: [
    z
      .optional(z.literal(statusIds, { error: statusIdMessage }))
      .describe(
        'Number of the status to set; GET /{alias}/checkout/statuses lists them. status says the same by alias.',
      ),
    undefined,
  ],
  status: [
    z
      .optional(choice(orderStatusAliases))
      .describe('Status to set, by alias; together with status_id both must agree.'),
    undefined,
  ],
} as const;

type StatusFields = { status_id?: number | undefined; status?: OrderStatus | undefined };

/** Returns the status that a body names, or `undefined`. */
export const resolveStatus = ({ status_id, status }: StatusFields): OrderStatus | undefined =>
  status ?? orderStatusAliases.find((alias) => orderStatusIds[alias] === status_id);

/** Refinement: `status` and `status_id` must agree. */
function requireSameStatus(body: StatusFields, context: z.core.$RefinementCtx) {
  if (body.status_id === undefined || body.status === undefined) return;
  if (orderStatusIds[body.status] !== body.status_id) {
    context.addIssue({
      code: 'custom',
      path: ['status'],
      message: 'Must be the same state as status_id.',
    });
  }
}

const item = object({
  sku_id: recordId().describe('SKU to sell.'),
  quantity: int(1, 1_000_000).describe(
    'Units to sell; they are taken from the stock if it is managed.',
  ),
  price: z
    .optional(money)
    .describe(
      'Price of one unit, for instance as agreed in another channel; without it the current price of the SKU.',
    ),
});

/* @__PURE__ */ explainBody(item, {
  OrderItemInput: 'A SKU that is sold, and how many units of it.',
});

const metadataPair = object({ key: line(100), value: line(1000) });

/* @__PURE__ */ explainBody(metadataPair, MetadataPairSchema, {
  MetadataPairInput: 'A piece of your own data that a record carries along.',
});

const utm = [orNull(line(255)), null] as const;

export const NewOrderRequest = requestBodies({
  required: {
    items: arrayOf(item, { min: 1, max: 100 })
      .superRefine(uniqueBy(({ sku_id }) => sku_id, 'sku_id'))
      .describe('What is sold: each SKU at most once.'),
  },
  optional: {
    customer_id: [
      z.optional(customerId).describe('Customer who buys. Send this or customer.'),
      undefined,
    ],
    customer: [
      z
        .optional(restrictedTo('customers.write', BuyerRequest))
        .describe(
          'Buyer who may be new to the store. The customer with this e-mail address buys, unchanged; without one, this customer is created with the order.',
        ),
      undefined,
    ],
    ...statusFields,
    ...paymentFields,
    ...shippingFields,
    value_shipment: [money, 0],
    value_discount: [money, 0],
    value_tax: [money, 0],
    payment_id: [
      z
        .optional(recordId())
        .describe('Payment type of a first transaction; without it the order has none yet.'),
      undefined,
    ],
    shipment_service: [orNull(line(100)), null],
    utm_source: utm,
    utm_medium: utm,
    utm_campaign: utm,
    utm_term: utm,
    utm_content: utm,
    metadata: [arrayOf(metadataPair, { max: 50 }), []],
  },
}).post.superRefine((body, context) => {
  requireSameStatus(body, context);
  const firstStatus = resolveStatus(body);
  if (firstStatus !== undefined && firstStatus !== 'waiting_payment' && firstStatus !== 'paid') {
    const message = 'Must be one of waiting_payment, paid.';
    context.addIssue({ code: 'custom', path: ['status_id'], message });
  }
  requireOneAddress(body, context);
  requireOneBuyer(body, context);
});

/* @__PURE__ */ explainBody(NewOrderRequest, OrderSchema, {
  OrderInput: 'A sale that was made elsewhere, with its customer, items and amounts.',
});

/**
 * Refinement: exactly one of `customer_id` and `customer`; a saved address is one of `customer_id`.
 */
function requireOneBuyer(
  body: {
    customer_id?: number | undefined;
    customer?: object | undefined;
    shipping_address_id?: number | undefined;
  },
  context: z.core.$RefinementCtx,
) {
  const issue = (name: string, message: string) =>
    context.addIssue({ code: 'custom', path: [name], message });
  if (body.customer === undefined) {
    if (body.customer_id === undefined) issue('customer_id', 'Required, unless customer is sent.');
    return;
  }
  if (body.customer_id !== undefined) {
    issue('customer', 'Must not be sent together with customer_id.');
  }
  if (body.shipping_address_id !== undefined) {
    issue('shipping_address_id', 'Must not be sent together with customer.');
  }
}

/** The body of PUT: another status, and the shipment. */
export const OrderChanges = requestBodies({
  optional: {
    ...statusFields,
    track_code: [orNull(code(100)), null],
    track_url: [orNull(url()), null],
    date_delivery: [orNull(dateTimeInput), null],
  },
}).put.superRefine(requireSameStatus);

/* @__PURE__ */ explainChanges(OrderChanges, OrderSchema, {
  OrderPatch: 'The next status of an order, or what is known about its delivery.',
});

export type NewOrderRequest = z.output<typeof NewOrderRequest>;

export function toNewOrder(body: NewOrderRequest): NewOrder {
  const {
    payment_id,
    installments,
    affiliation_id,
    holder_name,
    holder_document,
    truncated_card,
    shipping_address,
    shipping_address_id = 0,
    customer_id = 0,
    customer,
    status_id: _statusId,
    status: _status,
    ...order
  } = body;
  const paymentDetails = {
    installments,
    affiliation_id,
    holder_name,
    holder_document,
    truncated_card,
  };
  return {
    ...order,
    buyer: customer ?? { id: customer_id },
    shipping: shipping_address ?? { id: shipping_address_id },
    payment: payment_id === undefined ? undefined : { payment_id, ...paymentDetails },
    isPaid: resolveStatus(body) === 'paid',
    cart: undefined,
  };
}
