import * as z from 'zod';
import { boolOutput } from '../../codecs/fields/scalars.ts';
import { dateTime } from '../../codecs/time/date-time.ts';

/** A filter value in responses of POST and PUT. */
export const FilterOptionSchema = z
  .object({
    id: z.int(),
    name: z.string(),
    color: z.string().nullable(),
    image_url: z.string().nullable(),
  })
  .meta({ id: 'FilterOption' });

/** A filter value in responses of GET: merged with `FilterOptionAdditionalResponse` of the specification. */
export const FilterOptionReadSchema = z
  .object({ ...FilterOptionSchema.shape, created_at: dateTime, updated_at: dateTime })
  .meta({ id: 'FilterOptionRead' });

/** A filter; `values` is present when `include` names it. */
export const FilterSchema = z
  .object({
    id: z.int(),
    name: z.string(),
    searchable: boolOutput,
    navigation: boolOutput,
    created_at: dateTime,
    updated_at: dateTime,
    values: z.object({ data: z.array(FilterOptionReadSchema) }).optional(),
  })
  .meta({ id: 'Filter' });
