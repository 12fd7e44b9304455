import type * as z from 'zod';
import { requestBodies } from '../../codecs/body/request-bodies.ts';
import { arrayOf, uniqueBy } from '../../codecs/fields/arrays-and-objects.ts';
import { ids } from '../../codecs/fields/ids.ts';
import { orNull } from '../../codecs/fields/nullable.ts';
import { bool, money, int } from '../../codecs/fields/scalars.ts';
import { line, text, choice } from '../../codecs/fields/text.ts';

const values = arrayOf(line(100), { max: 100 }).superRefine(uniqueBy((value) => value));

export const CustomizationRequest = requestBodies({
  required: {
    name: line(255),
    price: money,
    type: choice(['text', 'textarea', 'select']),
    required: bool,
    max_chars: int(0, 10_000),
  },
  optional: {
    description: [orNull(text(1000)), null],
    values: [values, []],
    products_ids: [ids(), []],
  },
});

export type NewCustomization = z.output<typeof CustomizationRequest.post>;
export type CustomizationChanges = z.output<typeof CustomizationRequest.put>;
