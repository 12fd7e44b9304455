import type * as z from 'zod';

interface Shipped {
  shipping_address_id?: number | undefined;
  shipping_address?: object | undefined;
}

/** A refinement: an order goes to an address of the customer or to one of its own. */
export function oneAddress(body: Shipped, context: z.core.$RefinementCtx) {
  if (body.shipping_address_id === undefined && body.shipping_address === undefined) {
    const message = 'Required, unless shipping_address is sent.';
    context.addIssue({ code: 'custom', path: ['shipping_address_id'], message });
  }
  if (body.shipping_address_id !== undefined && body.shipping_address !== undefined) {
    const message = 'Must not stand beside shipping_address_id.';
    context.addIssue({ code: 'custom', path: ['shipping_address'], message });
  }
}
