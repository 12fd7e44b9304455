import type { carts } from '../../db/schema/store.ts';
import type { Row } from '../../db/table.ts';
import type { CartChanges } from './requests.ts';

type Owner = Pick<Row<typeof carts>, 'customer_id' | 'name' | 'email' | 'phone'>;
type Columns = Owner & Pick<Row<typeof carts>, 'shipment_service' | 'value_shipment'>;

const nobody: Owner = { customer_id: null, name: null, email: null, phone: null };

/** What a cart begins with. */
export const emptyCart: Columns = { ...nobody, shipment_service: null, value_shipment: 0 };

/** The columns of a cart once a body has been applied: a customer takes the place of a guest, a guest that of a customer. */
export function cartColumns(before: Columns, body: Omit<CartChanges, 'items'>): Columns {
  const { service = before.shipment_service, value = before.value_shipment } = body.shipping ?? {};
  return { ...ownerOf(before, body), shipment_service: service, value_shipment: value };
}

function ownerOf(before: Owner, { customer_id, tracking_data: guest }: CartChanges): Owner {
  const { name, email, phone } = before;
  if (customer_id) return { ...nobody, customer_id };
  if (guest) return { customer_id: null, name, email, phone, ...guest };
  return {
    customer_id: customer_id === null ? null : before.customer_id,
    ...(guest === null ? { name: null, email: null, phone: null } : { name, email, phone }),
  };
}
