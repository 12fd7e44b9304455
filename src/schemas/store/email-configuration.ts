import * as z from 'zod';
import { idOutput } from '../../codecs/fields/ids.ts';
import { boolOutput } from '../../codecs/fields/scalars.ts';
import { explain } from '../../codecs/meaning.ts';
import { recordTimes } from '../../codecs/time/date-time.ts';

/** The mail account of a store. Host, port, user name and password are never returned. */
export const EmailConfigurationSchema = z
  .object({
    id: idOutput,
    active: boolOutput,
    show_order_number: boolOutput,
    order_number: z.string(),
    from: z.string(),
    name: z.string(),
    product_review_days: z.int(),
    resume_values: z.string(),
    ...recordTimes,
  })
  .meta({ id: 'EmailConfiguration' });

/* @__PURE__ */ explain(
  EmailConfigurationSchema,
  'The mail account that the store sends with. Its password and server are never returned.',
  {
    active: 'Whether mails are sent; always true.',
    show_order_number: 'Whether mails name the number of the order; always true.',
    order_number: 'Reserved; always an empty text.',
    from: 'Address that buyers see as the sender.',
    name: 'Name that buyers see as the sender.',
    product_review_days: 'Days from delivery to the mail that asks for a review; always 7.',
    resume_values: 'Reserved; always an empty text.',
  },
);
