import { and, eq } from 'drizzle-orm';
import { untilFresh } from '../db/fresh.ts';
import { differ } from '../db/revision.ts';
import { invoices } from '../db/schema/store.ts';
import { lastOf } from '../db/statement.ts';
import type { StoreDb } from '../db/store.ts';
import type { Row } from '../db/table.ts';
import { publish } from '../events/publish.ts';
import { conflict, InvalidBody } from '../problem.ts';
import { invoiceEvent } from './invoice-event.ts';
import { invoicesWithKey, type InvoiceContent } from './issue-invoice.ts';
import { opened, readingOrder } from './open-order.ts';
import { orderStep } from './order-step.ts';

type Invoice = Row<typeof invoices>;
type InvoiceChanges = Partial<InvoiceContent> & { status?: Invoice['status'] };

/**
 * Corrects or cancels an invoice and tells of it (sources 6). What it says becoming different makes it corrected. Two round
 * trips; one when nothing changes. A cancelled invoice is 409 `invoice_cancelled`, also for who comes second.
 */
export const changeInvoice = (
  db: StoreDb,
  { orderId, id }: { orderId: number; id: number },
  { status: sent, ...content }: InvoiceChanges,
) =>
  untilFresh(async () => {
    const [found, skus, history, taken] = await db.batch([
      ...readingOrder(db, orderId),
      invoicesWithKey(db, content.access_key ?? ''),
    ]);
    const open = opened(found, skus, history);
    const before = open?.order.invoices.data.find((invoice) => invoice.id === id);
    if (!open || !before) return undefined;
    if (taken.some((invoice) => invoice.id !== id)) {
      throw new InvalidBody({ access_key: ['Already taken.'] });
    }
    const status = nextStatus(before, sent, differ(before, content));
    const changes = { ...content, status };
    if (!differ(before, changes)) return before;
    if (before.status === 'cancelled') throw conflict('invoice_cancelled');
    const after = { ...before, ...changes, updated_at: db.now };
    const { order } = open;
    const step = orderStep(db, open, {
      relations: {
        invoices: { data: order.invoices.data.map((one) => (one.id === id ? after : one)) },
        open_invoices: order.open_invoices - (status === 'cancelled' ? 1 : 0),
      },
    });
    const results = await publish(
      db,
      [
        ...step.statements,
        db.change(invoices, and(eq(invoices.id, id), eq(invoices.status, before.status)), changes),
        db.mustHaveChanged(),
        db.selectOne(invoices, id),
      ],
      [invoiceEvent(db, 'order.invoice.updated', after, step.after), ...step.events],
    );
    return lastOf(results)[0];
  });

/** The state that an invoice enters: the one that is sent, or corrected when it says something else now. */
function nextStatus(
  { status }: Invoice,
  sent: Invoice['status'] | undefined,
  isCorrected: boolean,
): Invoice['status'] {
  const made = isCorrected && status !== 'cancelled' ? 'corrected' : status;
  if (sent === undefined || sent === made) return made;
  if (status === 'cancelled') throw conflict('invoice_cancelled');
  if (sent === 'issued')
    throw new InvalidBody({ status: ['Must be one of corrected, cancelled.'] });
  return sent;
}
