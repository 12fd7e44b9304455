import * as z from 'zod';
import { idOutput } from '../../codecs/fields/ids.ts';
import { boolOutput } from '../../codecs/fields/scalars.ts';
import { explain } from '../../codecs/meaning.ts';
import { recordTimes } from '../../codecs/time/date-time.ts';

/** A filter value in responses of POST and PUT. */
export const FilterOptionSchema = z
  .object({
    id: idOutput,
    name: z.string(),
    color: z.string().nullable(),
    image_url: z.string().nullable(),
  })
  .meta({ id: 'FilterOption' });

const filterOptionMeanings = {
  name: 'What buyers read; unique in the filter, ignoring letter case.',
  color: 'Colour of the swatch beside the name, as #RGB or #RRGGBB.',
  image_url: 'Address of a picture beside the name, which you host.',
};

/* @__PURE__ */ explain(
  FilterOptionSchema,
  'One choice of a filter, such as Blue of the filter Colour.',
  filterOptionMeanings,
);

/** A filter value in responses of GET: merged with `FilterOptionAdditionalResponse` of the specification. */
export const FilterOptionReadSchema = z
  .object({ ...FilterOptionSchema.shape, ...recordTimes })
  .meta({ id: 'FilterOptionRead' });

/* @__PURE__ */ explain(
  FilterOptionReadSchema,
  'A filter value as lists and single reads return it.',
  filterOptionMeanings,
);

/** A filter; `values` is present when `include` names it. */
export const FilterSchema = z
  .object({
    id: idOutput,
    name: z.string(),
    searchable: boolOutput,
    navigation: boolOutput,
    ...recordTimes,
    values: z.object({ data: z.array(FilterOptionReadSchema) }).optional(),
  })
  .meta({ id: 'Filter' });

/* @__PURE__ */ explain(
  FilterSchema,
  'A property by which buyers narrow down lists of products, such as the colour.',
  {
    name: 'What buyers read above the values; unique in the store, ignoring letter case.',
    searchable: 'Whether the search of the shop looks at the values.',
    navigation: 'Whether the shop offers the filter beside lists of products.',
    values: 'Up to 100 values, by id; with include=values.',
  },
);
