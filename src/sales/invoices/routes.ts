import { eq } from 'drizzle-orm';
import { dateTimeInput } from '../../base/codecs/fields/date-time.ts';
import { orNull } from '../../base/codecs/fields/nullable.ts';
import { money, int } from '../../base/codecs/fields/scalars.ts';
import { url } from '../../base/codecs/fields/string-formats.ts';
import { choice, textMatching } from '../../base/codecs/fields/text.ts';
import { listing } from '../../base/codecs/listing/listing.ts';
import { explainBody, explainChanges } from '../../base/codecs/meaning.ts';
import { requestBodies } from '../../base/codecs/request-bodies.ts';
import { invoices, orders, invoiceStatuses } from '../../data/schema/store/orders-tables.ts';
import { explainOperations, operation } from '../../http/operation.ts';
import { data, page } from '../../http/replies.ts';
import { changeInvoice } from './change-invoice.ts';
import { issueInvoice } from './issue-invoice.ts';
import { InvoiceSchema } from './schema.ts';

const fields = {
  number: int(1, 999_999_999),
  series: int(0, 999),
  access_key: textMatching(/\d{44}/, 'Must be 44 digits.'),
  value: money,
  issued_at: dateTimeInput,
};

const NewInvoice = requestBodies({
  required: fields,
  optional: { url: [orNull(url()), null] },
}).post;

/* @__PURE__ */ explainBody(NewInvoice, InvoiceSchema, {
  OrderInvoiceInput: 'The fiscal document of an order, as it was issued.',
});

/** Any subset of an invoice, and its status. */
const InvoiceChanges = requestBodies({
  optional: {
    number: [fields.number, undefined],
    series: [fields.series, undefined],
    access_key: [fields.access_key, undefined],
    value: [money, undefined],
    issued_at: [dateTimeInput, undefined],
    url: [orNull(url()), null],
    status: [choice(invoiceStatuses), undefined],
  },
}).put;

/* @__PURE__ */ explainChanges(InvoiceChanges, InvoiceSchema, {
  OrderInvoicePatch: 'What is corrected in a fiscal document, or its cancellation.',
});

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
    run: ({ db, ids, body }) => changeInvoice(db, ids, body),
  }),
];

/* @__PURE__ */ explainOperations({
  createOrderInvoice:
    'access_key is unique in the store. 409 for an order that is not paid or is cancelled.',
  updateOrderInvoice:
    'A change of its data sets the status to corrected. A cancelled invoice cannot be changed: 409.',
});
