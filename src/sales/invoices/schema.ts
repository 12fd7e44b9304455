import * as z from 'zod';
import { dateTime, recordTimes } from '../../base/codecs/fields/date-time.ts';
import { idOutput } from '../../base/codecs/fields/ids.ts';
import { moneyOutput } from '../../base/codecs/fields/scalars.ts';
import { explainEnum, explain } from '../../base/codecs/meaning.ts';
import { invoiceStatuses } from '../../data/schema/store/orders-tables.ts';

/** A fiscal document of an order. */
export const InvoiceSchema = z
  .object({
    id: idOutput,
    order_id: z.int(),
    number: z.int(),
    series: z.int(),
    access_key: z.string(),
    value: moneyOutput,
    issued_at: dateTime,
    url: z.string().nullable(),
    status: z.enum(invoiceStatuses),
    ...recordTimes,
  })
  .meta({ id: 'Invoice' });

export const invoiceMeanings = {
  order_id: 'Order that the document is for.',
  number: 'Number of the document in its series, from 1.',
  series: 'Series of the document, 0 to 999.',
  access_key: 'The 44 digits that identify an NF-e; unique in the store.',
  value: 'Amount of the document; need not be that of the order.',
  issued_at: 'When it was issued, as the document says.',
  url: 'Where the document can be read; null if nowhere.',
  status: 'issued, corrected (its data was changed later) or cancelled, which is final.',
};

/* @__PURE__ */ explain(
  InvoiceSchema,
  'A fiscal document (NF-e) of an order. It is never deleted, only cancelled.',
  invoiceMeanings,
);

/* @__PURE__ */ explainEnum('InvoiceStatus', 'Whether an invoice is in force.', {
  issued: 'In force as it was issued.',
  corrected: 'In force, with a correction after it was issued.',
  cancelled: 'Without effect. It can no longer change.',
});
