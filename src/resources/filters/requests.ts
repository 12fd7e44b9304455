import { requestBodies } from '../../codecs/body/request-bodies.ts';
import { arrayOf, uniqueBy } from '../../codecs/fields/arrays-and-objects.ts';
import { nameKey } from '../../codecs/fields/normalize-text.ts';
import { bool } from '../../codecs/fields/scalars.ts';
import { line } from '../../codecs/fields/text.ts';
import { FilterOptionRequest } from './values/requests.ts';

const values = arrayOf(FilterOptionRequest.post, { max: 100 }).superRefine(
  uniqueBy(({ name }) => nameKey(name), 'name'),
);

const fields = {
  required: { name: line(100) },
  optional: { searchable: [bool, true], navigation: [bool, true] },
} as const;

export const NewFilter = requestBodies({
  ...fields,
  optional: {
    ...fields.optional,
    values: [
      values.describe('First values of the filter; later ones have their own operations.'),
      [],
    ],
  },
}).post;

/** The body of PUT. Values are changed by their own operations. */
export const FilterChanges = requestBodies(fields).put;
