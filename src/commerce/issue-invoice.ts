import { eq } from 'drizzle-orm';
import { untilFresh } from '../db/fresh.ts';
import { insertionOf } from '../db/insertion-of.ts';
import { invoices } from '../db/schema/store.ts';
import { reservation } from '../db/sequences.ts';
import { stamps } from '../db/stamps.ts';
import { lastOf } from '../db/statement.ts';
import type { StoreDb } from '../db/store.ts';
import type { Row } from '../db/table.ts';
import { publish } from '../events/publish.ts';
import { conflict, InvalidBody } from '../problem.ts';
import { nameKey } from '../wire/fold.ts';
import { invoiceEvent } from './invoice-event.ts';
import { opened, readingOrder } from './open-order.ts';
import { orderStep } from './order-step.ts';

/** What an invoice says; `value` in cents. */
export type InvoiceContent = Pick<
  Row<typeof invoices>,
  'number' | 'series' | 'access_key' | 'value' | 'issued_at' | 'url'
>;

/** As many as an order shows with itself. */
const maxInvoices = 100;

const unpaid = new Set(['waiting_payment', 'refused', 'cancelled']);

/**
 * Adds an invoice to an order and tells of it; one that is paid or being handled becomes invoiced. Two round trips. Throws
 * 409 while the order is not paid, and an `InvalidBody` when the access key is another invoice's.
 */
export const issueInvoice = (db: StoreDb, orderId: number, content: InvoiceContent) =>
  untilFresh(async () => {
    const [found, skus, history, taken, ids] = await db.batch([
      ...readingOrder(db, orderId),
      invoicesWithKey(db, content.access_key),
      reservation(db, 'invoices', 1),
    ]);
    const open = opened(found, skus, history);
    if (!open) return undefined;
    const { order } = open;
    if (unpaid.has(order.status)) {
      throw conflict('order_not_paid', { status: [`The order is ${order.status}.`] });
    }
    const earlier = order.invoices.data;
    if (earlier.length >= maxInvoices) throw conflict('too_many_invoices');
    if (taken.length > 0) throw new InvalidBody({ access_key: ['Already taken.'] });
    const invoice = {
      ...content,
      ...stamps(db, ids[0]?.last ?? 0),
      order_id: orderId,
      access_key_key: '',
      status: 'issued' as const,
    };
    const isFirst = order.status === 'paid' || order.status === 'handling_products';
    const step = orderStep(db, open, {
      to: isFirst ? 'invoiced' : undefined,
      relations: {
        invoices: { data: [...earlier, invoice] },
        open_invoices: order.open_invoices + 1,
      },
    });
    const results = await publish(
      db,
      [...step.statements, insertionOf(db, invoices, invoice), db.selectOne(invoices, invoice.id)],
      [invoiceEvent(db, 'order.invoice.created', invoice, step.after), ...step.events],
    );
    return lastOf(results)[0];
  });

/** Reads the invoices of the store with this access key. */
export const invoicesWithKey = (db: StoreDb, accessKey: string) =>
  db.select(invoices, { where: eq(invoices.access_key_key, nameKey(accessKey)) });
