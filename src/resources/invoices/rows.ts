import { eq } from 'drizzle-orm';
import { changeInvoice } from '../../commerce/change-invoice.ts';
import { issueInvoice } from '../../commerce/issue-invoice.ts';
import { invoices, orders } from '../../db/schema/store.ts';
import { operation } from '../../http/operation.ts';
import { data, page } from '../../http/replies.ts';
import { listing } from '../../wire/listing.ts';
import { Invoice } from '../shapes/invoice.ts';
import { InvoiceChanges, NewInvoice } from './requests.ts';

export const invoiceOperations = [
  operation({
    id: 'listOrderInvoices',
    route: 'GET /{alias}/orders/{id}/invoices',
    access: 'invoices.read',
    query: listing(),
    reply: page(Invoice),
    rejects: [404],
    run: ({ db, ids, query }) =>
      db.pageUnder(orders, ids.id, invoices, query, { where: eq(invoices.order_id, ids.id) }),
  }),
  operation({
    id: 'createOrderInvoice',
    route: 'POST /{alias}/orders/{id}/invoices',
    access: 'invoices.write',
    body: NewInvoice,
    reply: data(201, Invoice),
    rejects: [404, 409, 422],
    note: 'access_key is unique in the store. An order that is not paid, or is cancelled, is 409.',
    run: ({ db, ids, body }) => issueInvoice(db, ids.id, body),
  }),
  operation({
    id: 'showOrderInvoice',
    route: 'GET /{alias}/orders/{orderId}/invoices/{id}',
    access: 'invoices.read',
    reply: data(200, Invoice),
    rejects: [404],
    run: ({ db, ids }) => db.find(invoices, ids.id, undefined, eq(invoices.order_id, ids.orderId)),
  }),
  operation({
    id: 'updateOrderInvoice',
    route: 'PUT /{alias}/orders/{orderId}/invoices/{id}',
    access: 'invoices.write',
    body: InvoiceChanges,
    reply: data(200, Invoice),
    rejects: [404, 409, 422],
    note: 'Saying something else makes an invoice corrected. A cancelled one no longer changes: 409.',
    run: ({ db, ids, body }) => changeInvoice(db, ids, body),
  }),
];
