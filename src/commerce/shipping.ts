import type { addresses } from '../db/schema/store.ts';
import type { Row } from '../db/table.ts';
import { InvalidBody } from '../problem.ts';
import type { NewOrder, ShippingAddress } from './new-order.ts';

/**
 * The copy of the address that an order goes to; `known` is the customer's one that was named. Throws an `InvalidBody` when
 * the customer has none like that.
 */
export function shippingOf(
  shipping: NewOrder['shipping'],
  known: Row<typeof addresses> | undefined,
): ShippingAddress {
  if (!('id' in shipping)) return shipping;
  if (!known) {
    throw new InvalidBody({ shipping_address_id: ['No such address of this customer.'] });
  }
  const { receiver, zipcode, street, number, complement, neighborhood, city, state, country } =
    known;
  return { receiver, zipcode, street, number, complement, neighborhood, city, state, country };
}
