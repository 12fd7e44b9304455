import type { StoreDb } from '../db/store.ts';
import type { StoreEvent } from '../events/publish.ts';
import { OrderEvent } from '../resources/shapes/order.ts';
import { inZone } from '../wire/zone.ts';
import { presentOrder, type WholeOrder } from './order-reading.ts';

/** An event of an order, which is shown with all its includes. */
export function orderEvent(
  db: StoreDb,
  name: 'order.created' | 'order.paid' | 'order.status.updated',
  order: WholeOrder,
): StoreEvent {
  const resource = inZone(db.store.zone, () => OrderEvent.parse(presentOrder(db.store, order)));
  return { name, resource };
}
