import { compileSerializer } from '../../codecs/serializer.ts';
import { runInZone } from '../../codecs/time/zone.ts';
import type { StoreDb } from '../../db/core/store-db.ts';
import type { Row } from '../../db/core/table.ts';
import type { invoices } from '../../db/schema/store/orders.ts';
import type { StoreEvent } from '../../events/publish.ts';
import { InvoiceEventSchema } from '../../schemas/checkout/order.ts';
import { serializeOrder, type FullOrder } from '../orders/queries.ts';

const serializeEvent = compileSerializer(InvoiceEventSchema);

/** Returns an event of an invoice; its resource holds the order. */
export function toInvoiceEvent(
  db: StoreDb,
  name: 'order.invoice.created' | 'order.invoice.updated',
  invoice: Row<typeof invoices>,
  order: FullOrder,
): StoreEvent {
  const input = { ...invoice, order: { data: serializeOrder(db.store, order) } };
  const resource = runInZone(db.store.zone, () => serializeEvent(input));
  return { name, resource };
}
