import * as z from 'zod';
import { recordId } from '../base/codecs/fields/ids.ts';
import { orNull } from '../base/codecs/fields/nullable.ts';
import { int } from '../base/codecs/fields/scalars.ts';
import { truncatedCard } from '../base/codecs/fields/string-formats.ts';
import { code, line } from '../base/codecs/fields/text.ts';
import { restrictedTo } from '../http/access/restricted-fields.ts';
import { NewAddress } from './address-request.ts';

/**
 * The id of a customer; only for callers that may see customers, since the id makes their data part
 * of a record.
 */
export const customerId = restrictedTo('customers.read', recordId());

/**
 * The destination of an order: an address of the customer, which the order then shows, or a new
 * one.
 */
export const shippingFields = {
  shipping_address_id: [
    z
      .optional(restrictedTo('customers.read', recordId()))
      .describe('Address of the customer to send to. Send this or shipping_address.'),
    undefined,
  ],
  shipping_address: [
    z
      .optional(NewAddress)
      .describe(
        'Address to send to, if the customer has not stored it. It is not added to the customer.',
      ),
    undefined,
  ],
} as const;

/** Fields of a payment besides its type. */
export const paymentFields = {
  installments: [
    int(1, 24).describe(
      'How many monthly parts the buyer pays in; the configuration of the payment type limits it.',
    ),
    1,
  ],
  affiliation_id: [
    orNull(recordId()).describe('Payment contract to use instead of the configured one.'),
    null,
  ],
  holder_name: [orNull(line(100)).describe('Name on the card or account: personal data.'), null],
  holder_document: [
    orNull(code(20)).describe('CPF or CNPJ of the holder, as you want it back: personal data.'),
    null,
  ],
  truncated_card: [
    orNull(truncatedCard).describe(
      'At most the first six and last four digits of the card. Full numbers are rejected.',
    ),
    null,
  ],
} as const;

interface ShippingFields {
  shipping_address_id?: number | undefined;
  shipping_address?: object | undefined;
}

/** Refinement: exactly one of `shipping_address_id` and `shipping_address` must be sent. */
export function requireOneAddress(body: ShippingFields, context: z.core.$RefinementCtx) {
  if (body.shipping_address_id === undefined && body.shipping_address === undefined) {
    const message = 'Required, unless shipping_address is sent.';
    context.addIssue({ code: 'custom', path: ['shipping_address_id'], message });
  }
  if (body.shipping_address_id !== undefined && body.shipping_address !== undefined) {
    const message = 'Must not be sent together with shipping_address_id.';
    context.addIssue({ code: 'custom', path: ['shipping_address'], message });
  }
}
