import { eq } from 'drizzle-orm';
import { nameKey } from '../../base/codecs/fields/normalize-text.ts';
import { runInZone } from '../../base/codecs/fields/zone.ts';
import { compileSerializer } from '../../base/codecs/serializer.ts';
import { conflict, ValidationError } from '../../base/errors.ts';
import { insertReservedStatement, reserveIds, baseColumns } from '../../data/core/reserved-ids.ts';
import { takeTurns } from '../../data/core/retry-contention.ts';
import { lastResult } from '../../data/core/statement.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { Row } from '../../data/core/store-table.ts';
import { invoices, orders } from '../../data/schema/store/orders-tables.ts';
import { publish, type StoreEvent } from '../../webhooks/events/publish.ts';
import { updatedFields } from '../../webhooks/events/updated-fields.ts';
import { toLoadedOrder, orderQueries } from '../orders/load-order.ts';
import { serializeOrder, type FullOrder } from '../orders/order-queries.ts';
import { planOrderChange } from '../orders/plan-change.ts';
import { InvoiceEventSchema } from '../orders/schema.ts';

/** Content of an invoice; `value` in cents. */
export type InvoiceContent = Pick<
  Row<typeof invoices>,
  'number' | 'series' | 'access_key' | 'value' | 'issued_at' | 'url'
>;

/** The most invoices of an order: as many as its include shows. */
export const maxInvoices = 100;

const notInvoiceableStatuses = new Set(['waiting_payment', 'refused', 'cancelled']);

/**
 * Adds an invoice to an order and publishes `order.invoice.created`. An order that is paid or being
 * handled becomes invoiced. Two round trips. Throws 409 if the order is not paid, and a
 * `ValidationError` if another invoice has the access key.
 */
export const issueInvoice = (db: StoreDb, orderId: number, content: InvoiceContent) =>
  takeTurns(db, [orders, orderId], async () => {
    const [orderRows, skus, statusChangeIds, withSameKey, invoiceIds] = await db.batch([
      ...orderQueries(db, orderId),
      invoicesByAccessKeyQuery(db, content.access_key),
      reserveIds(db, 1),
    ]);
    const loaded = toLoadedOrder(orderRows, skus, statusChangeIds);
    if (!loaded) return undefined;
    const { order } = loaded;
    if (notInvoiceableStatuses.has(order.status)) {
      throw conflict('order_not_paid', { status: [`The order is ${order.status}.`] });
    }
    const existing = order.invoices.data;
    if (existing.length >= maxInvoices) throw conflict('too_many_invoices');
    if (withSameKey.length > 0) throw new ValidationError({ access_key: ['Already taken.'] });
    const invoice = {
      ...content,
      ...baseColumns(db, invoiceIds[0]?.last ?? 0),
      order_id: orderId,
      access_key_key: '',
      status: 'issued' as const,
    };
    const becomesInvoiced = order.status === 'paid' || order.status === 'handling_products';
    const plan = planOrderChange(db, loaded, {
      to: becomesInvoiced ? 'invoiced' : undefined,
      relations: {
        invoices: { data: [...existing, invoice] },
        open_invoices: order.open_invoices + 1,
      },
    });
    const results = await publish(
      db,
      [
        ...plan.statements,
        insertReservedStatement(db, invoices, invoice),
        db.selectOne(invoices, invoice.id),
      ],
      [toInvoiceEvent(db, 'order.invoice.created', { invoice, order: plan.after }), ...plan.events],
    );
    return lastResult(results)[0];
  });

/** Statement that reads the invoices of the store with this access key. */
export const invoicesByAccessKeyQuery = (db: StoreDb, accessKey: string) =>
  db.select(invoices, { where: eq(invoices.access_key_key, nameKey(accessKey)) });

const serializeEvent = compileSerializer(InvoiceEventSchema);

/** An invoice with its order. */
interface InvoiceOfOrder {
  invoice: Row<typeof invoices>;
  order: FullOrder;
}

/**
 * Returns an event of an invoice; its resource holds the order. An update names what differs from
 * `before`.
 */
export function toInvoiceEvent(
  db: StoreDb,
  name: 'order.invoice.created' | 'order.invoice.updated',
  invoice: InvoiceOfOrder,
  before?: InvoiceOfOrder,
): StoreEvent {
  const after = toInvoiceInput(db, invoice);
  const resource = runInZone(db.store.zone, () => serializeEvent(after));
  if (!before) return { name, resource };
  return { name, resource, changed: updatedFields(resource, toInvoiceInput(db, before), after) };
}

const toInvoiceInput = (db: StoreDb, { invoice, order }: InvoiceOfOrder) => ({
  ...invoice,
  order: { data: serializeOrder(db.store, order) },
});
