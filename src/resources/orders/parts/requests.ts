import { requestBodies } from '../../../codecs/body/request-bodies.ts';
import { recordId } from '../../../codecs/fields/ids.ts';
import { paymentFields } from '../../../schemas/checkout/checkout-fields.ts';

/** The body of POST transactions of an order. */
export const NewTransactionRequest = requestBodies({
  required: {
    payment_id: recordId().describe(
      'Payment type that the buyer chose; it must be active in the store.',
    ),
  },
  optional: paymentFields,
}).post;
