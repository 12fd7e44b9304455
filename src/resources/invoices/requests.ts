import { invoiceStatuses } from '../../db/schema/invoices.ts';
import { moment } from '../../wire/moment.ts';
import { money } from '../../wire/money.ts';
import { int } from '../../wire/number.ts';
import { orNull } from '../../wire/or-null.ts';
import { request } from '../../wire/request.ts';
import { url } from '../../wire/url.ts';
import { choice, word } from '../../wire/words.ts';

const fields = {
  number: int(1, 999_999_999),
  series: int(0, 999),
  access_key: word(/\d{44}/, 'Must be 44 digits.'),
  value: money,
  issued_at: moment,
};

/** The body of POST invoices (sources 6). */
export const NewInvoice = request({
  required: fields,
  optional: { url: [orNull(url()), null] },
}).post;

/** Any subset of an invoice, and its state. */
export const InvoiceChanges = request({
  optional: {
    number: [fields.number, undefined],
    series: [fields.series, undefined],
    access_key: [fields.access_key, undefined],
    value: [money, undefined],
    issued_at: [moment, undefined],
    url: [orNull(url()), null],
    status: [choice(invoiceStatuses), undefined],
  },
}).put;
