import * as z from 'zod';
import { boolOutput } from '../../codecs/fields/scalars.ts';
import { dateTime } from '../../codecs/time/date-time.ts';

/** The mail account of a store. Host, port, user name and password are never returned. */
export const EmailConfigurationSchema = z
  .object({
    id: z.int(),
    active: boolOutput,
    show_order_number: boolOutput,
    order_number: z.string(),
    from: z.string(),
    name: z.string(),
    product_review_days: z.int(),
    resume_values: z.string(),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'EmailConfiguration' });
