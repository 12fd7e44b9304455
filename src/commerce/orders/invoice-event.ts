import { InvoiceEventSchema } from '../../api/orders/schema.ts';
import { runInZone } from '../../base/codecs/fields/zone.ts';
import { compileSerializer } from '../../base/codecs/serializer.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { Row } from '../../data/core/store-table.ts';
import type { invoices } from '../../data/schema/store/orders-tables.ts';
import type { StoreEvent } from '../../webhooks/events/publish.ts';
import { serializeOrder, type FullOrder } from './order-queries.ts';

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
