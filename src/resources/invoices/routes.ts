import { eq } from 'drizzle-orm';
import { listing } from '../../codecs/listing/listing.ts';
import { changeInvoice } from '../../commerce/invoices/change.ts';
import { issueInvoice } from '../../commerce/invoices/issue.ts';
import { invoices, orders } from '../../db/schema/store/orders.ts';
import { operation } from '../../http/operation.ts';
import { data, page } from '../../http/replies.ts';
import { InvoiceSchema } from '../../schemas/checkout/invoice.ts';
import { InvoiceChanges, NewInvoice } from './requests.ts';

export const invoiceOperations = [
  operation({
    id: 'listOrderInvoices',
    route: 'GET /{alias}/orders/{id}/invoices',
    access: 'invoices.read',
    query: listing(),
    reply: page(InvoiceSchema),
    errors: [404],
    run: ({ db, ids, query }) =>
      db.pageOfParent(orders, ids.id, invoices, query, { where: eq(invoices.order_id, ids.id) }),
  }),
  operation({
    id: 'createOrderInvoice',
    route: 'POST /{alias}/orders/{id}/invoices',
    access: 'invoices.write',
    body: NewInvoice,
    reply: data(201, InvoiceSchema),
    errors: [404, 409, 422],
    note: 'access_key is unique in the store. 409 for an order that is not paid or is cancelled.',
    run: ({ db, ids, body }) => issueInvoice(db, ids.id, body),
  }),
  operation({
    id: 'showOrderInvoice',
    route: 'GET /{alias}/orders/{orderId}/invoices/{id}',
    access: 'invoices.read',
    reply: data(200, InvoiceSchema),
    errors: [404],
    run: ({ db, ids }) => db.find(invoices, ids.id, undefined, eq(invoices.order_id, ids.orderId)),
  }),
  operation({
    id: 'updateOrderInvoice',
    route: 'PUT /{alias}/orders/{orderId}/invoices/{id}',
    access: 'invoices.write',
    body: InvoiceChanges,
    reply: data(200, InvoiceSchema),
    errors: [404, 409, 422],
    note: 'A change of its data sets the status to corrected. A cancelled invoice cannot be changed: 409.',
    run: ({ db, ids, body }) => changeInvoice(db, ids, body),
  }),
];
