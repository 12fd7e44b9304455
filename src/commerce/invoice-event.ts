import type { invoices } from '../db/schema/store.ts';
import type { StoreDb } from '../db/store.ts';
import type { Row } from '../db/table.ts';
import type { StoreEvent } from '../events/publish.ts';
import { InvoiceEvent } from '../resources/shapes/order.ts';
import { inZone } from '../wire/zone.ts';
import { presentOrder, type WholeOrder } from './order-reading.ts';

/** An event of an invoice, which is shown with its order. */
export function invoiceEvent(
  db: StoreDb,
  name: 'order.invoice.created' | 'order.invoice.updated',
  invoice: Row<typeof invoices>,
  order: WholeOrder,
): StoreEvent {
  const shown = { ...invoice, order: { data: presentOrder(db.store, order) } };
  const resource = inZone(db.store.zone, () => InvoiceEvent.parse(shown));
  return { name, resource };
}
