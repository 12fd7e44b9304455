import * as z from 'zod';
import { dateTime } from '../../wire/datetime.ts';
import { shownMoney } from '../../wire/money.ts';

/** A fiscal document of an order (sources 6). */
export const Invoice = z
  .object({
    id: z.int(),
    order_id: z.int(),
    number: z.int(),
    series: z.int(),
    access_key: z.string(),
    value: shownMoney,
    issued_at: dateTime,
    url: z.string().nullable(),
    status: z.string().meta({ description: 'issued, corrected or cancelled.' }),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'Invoice' });
