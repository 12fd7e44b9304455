import { requestBodies } from '../../../codecs/body/request-bodies.ts';
import { recordId } from '../../../codecs/fields/ids.ts';
import { paymentFields } from '../../../schemas/checkout/checkout-fields.ts';

/** The body of POST transactions of an order. */
export const NewTransactionRequest = requestBodies({
  required: { payment_id: recordId() },
  optional: paymentFields,
}).post;
