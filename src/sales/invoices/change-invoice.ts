import { and, eq } from 'drizzle-orm';
import { conflict, ValidationError } from '../../base/errors.ts';
import { takeTurns } from '../../data/core/retry-contention.ts';
import { lastResult } from '../../data/core/statement.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { Row } from '../../data/core/store-table.ts';
import { hasChanges } from '../../data/queries/revision.ts';
import { invoices, orders } from '../../data/schema/store/orders-tables.ts';
import { publish } from '../../webhooks/events/publish.ts';
import { toLoadedOrder, orderQueries } from '../orders/load-order.ts';
import { planOrderChange } from '../orders/plan-change.ts';
import { type InvoiceContent, invoicesByAccessKeyQuery, toInvoiceEvent } from './issue-invoice.ts';

type Invoice = Row<typeof invoices>;
type InvoiceChanges = Partial<InvoiceContent> & { status?: Invoice['status'] };

/**
 * Corrects or cancels an invoice and publishes `order.invoice.updated`. New content makes the
 * invoice corrected. Two round trips; one if nothing changes. Throws 409 `invoice_cancelled` for a
 * cancelled invoice, also after a lost race.
 */
export const changeInvoice = (
  db: StoreDb,
  { orderId, id }: { orderId: number; id: number },
  { status: requestedStatus, ...content }: InvoiceChanges,
) =>
  takeTurns(db, [orders, orderId], async () => {
    const [orderRows, skus, statusChangeIds, withSameKey] = await db.batch([
      ...orderQueries(db, orderId),
      invoicesByAccessKeyQuery(db, content.access_key ?? ''),
    ]);
    const loaded = toLoadedOrder(orderRows, skus, statusChangeIds);
    const before = loaded?.order.invoices.data.find((invoice) => invoice.id === id);
    if (!loaded || !before) return undefined;
    if (withSameKey.some((invoice) => invoice.id !== id)) {
      throw new ValidationError({ access_key: ['Already taken.'] });
    }
    const status = nextInvoiceStatus(before, requestedStatus, hasChanges(before, content));
    const changes = { ...content, status };
    if (!hasChanges(before, changes)) return before;
    if (before.status === 'cancelled') throw conflict('invoice_cancelled');
    const after = { ...before, ...changes, updated_at: db.now };
    const { order } = loaded;
    const plan = planOrderChange(db, loaded, {
      relations: {
        invoices: { data: order.invoices.data.map((other) => (other.id === id ? after : other)) },
        open_invoices: order.open_invoices - (status === 'cancelled' ? 1 : 0),
      },
    });
    const results = await publish(
      db,
      [
        ...plan.statements,
        db.updateStatement(
          invoices,
          and(eq(invoices.id, id), eq(invoices.status, before.status)),
          changes,
        ),
        db.assertChanged(),
        db.selectOne(invoices, id),
      ],
      [
        toInvoiceEvent(
          db,
          'order.invoice.updated',
          { invoice: after, order: plan.after },
          { invoice: before, order },
        ),
        ...plan.events,
      ],
    );
    return lastResult(results)[0];
  });

/** Returns the requested status or, if only the content changes, `corrected`. */
function nextInvoiceStatus(
  { status }: Invoice,
  requested: Invoice['status'] | undefined,
  hasNewContent: boolean,
): Invoice['status'] {
  const implied = hasNewContent && status !== 'cancelled' ? 'corrected' : status;
  if (requested === undefined || requested === implied) return implied;
  if (status === 'cancelled') throw conflict('invoice_cancelled');
  if (requested === 'issued') {
    throw new ValidationError({ status: ['Must be one of corrected, cancelled.'] });
  }
  return requested;
}
