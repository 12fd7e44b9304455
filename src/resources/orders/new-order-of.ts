import type { NewOrder } from '../../commerce/new-order.ts';
import { stateOf, type NewOrderRequest } from './requests.ts';

/** What the body of POST orders asks to be placed. */
export function newOrderOf(body: NewOrderRequest): NewOrder {
  const {
    payment_id,
    installments,
    affiliation_id,
    holder_name,
    holder_document,
    truncated_card,
    shipping_address,
    shipping_address_id = 0,
    status_id: _statusId,
    status: _status,
    ...order
  } = body;
  const how = { installments, affiliation_id, holder_name, holder_document, truncated_card };
  return {
    ...order,
    shipping: shipping_address ?? { id: shipping_address_id },
    payment: payment_id === undefined ? undefined : { payment_id, ...how },
    isPaid: stateOf(body) === 'paid',
    cart: undefined,
  };
}
