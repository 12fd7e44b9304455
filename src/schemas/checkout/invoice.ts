import * as z from 'zod';
import { moneyOutput } from '../../codecs/fields/scalars.ts';
import { dateTime } from '../../codecs/time/date-time.ts';

/** A fiscal document of an order. */
export const InvoiceSchema = z
  .object({
    id: z.int(),
    order_id: z.int(),
    number: z.int(),
    series: z.int(),
    access_key: z.string(),
    value: moneyOutput,
    issued_at: dateTime,
    url: z.string().nullable(),
    status: z.string().meta({ description: 'issued, corrected or cancelled.' }),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'Invoice' });
