import { requestBodies } from '../../codecs/body/request-bodies.ts';
import { orNull } from '../../codecs/fields/nullable.ts';
import { money, int } from '../../codecs/fields/scalars.ts';
import { url } from '../../codecs/fields/string-formats.ts';
import { choice, textMatching } from '../../codecs/fields/text.ts';
import { dateTimeInput } from '../../codecs/time/date-time.ts';
import { invoiceStatuses } from '../../db/schema/store/orders.ts';

const fields = {
  number: int(1, 999_999_999),
  series: int(0, 999),
  access_key: textMatching(/\d{44}/, 'Must be 44 digits.'),
  value: money,
  issued_at: dateTimeInput,
};

export const NewInvoice = requestBodies({
  required: fields,
  optional: { url: [orNull(url()), null] },
}).post;

/** Any subset of an invoice, and its status. */
export const InvoiceChanges = requestBodies({
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
