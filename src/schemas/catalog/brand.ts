import * as z from 'zod';
import { boolOutput } from '../../codecs/fields/scalars.ts';
import { dateTime } from '../../codecs/time/date-time.ts';

export const BrandSchema = z
  .object({
    id: z.int(),
    active: boolOutput,
    featured: boolOutput,
    name: z.string(),
    description: z.string().nullable(),
    logo_url: z.string().nullable(),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'Brand' });
