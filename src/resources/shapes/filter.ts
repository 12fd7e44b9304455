import * as z from 'zod';
import { shownBool } from '../../wire/bool.ts';
import { dateTime } from '../../wire/datetime.ts';

/** A filter value as writing it answers (contract 3.9). */
export const FilterOption = z
  .object({
    id: z.int(),
    name: z.string(),
    color: z.string().nullable(),
    image_url: z.string().nullable(),
  })
  .meta({ id: 'FilterOption' });

/** The same merged with FilterOptionAdditionalResponse, as reading it answers. */
export const FilterOptionRead = z
  .object({ ...FilterOption.shape, created_at: dateTime, updated_at: dateTime })
  .meta({ id: 'FilterOptionRead' });

/** A filter (contract 4.1); its values are there when they were asked for. */
export const Filter = z
  .object({
    id: z.int(),
    name: z.string(),
    searchable: shownBool,
    navigation: shownBool,
    created_at: dateTime,
    updated_at: dateTime,
    values: z.object({ data: z.array(FilterOptionRead) }).optional(),
  })
  .meta({ id: 'Filter' });
