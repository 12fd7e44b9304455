import * as z from 'zod';
import { shownBool } from '../../wire/bool.ts';
import { dateTime } from '../../wire/datetime.ts';

/** The mail account of a store (contract 3.13): who its e-mails are from, and never its password. */
export const EmailConfiguration = z
  .object({
    id: z.int(),
    active: shownBool,
    show_order_number: shownBool,
    order_number: z.string(),
    from: z.string(),
    name: z.string(),
    product_review_days: z.int(),
    resume_values: z.string(),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'EmailConfiguration' });
