import * as z from 'zod';
import { shownBool } from '../../wire/bool.ts';
import { dateTime } from '../../wire/datetime.ts';

/** A brand as it is shown (contract 3.2). */
export const Brand = z
  .object({
    id: z.int(),
    active: shownBool,
    featured: shownBool,
    name: z.string(),
    description: z.string().nullable(),
    logo_url: z.string().nullable(),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'Brand' });
