import { bool } from '../../wire/bool.ts';
import { colour } from '../../wire/colour.ts';
import { nameKey } from '../../wire/fold.ts';
import { list, onlyOnce } from '../../wire/list.ts';
import { orNull } from '../../wire/or-null.ts';
import { request } from '../../wire/request.ts';
import { line } from '../../wire/text.ts';
import { url } from '../../wire/url.ts';

/** The bodies of POST and PUT filter values (contract 3.9). */
export const FilterOptionRequest = request({
  required: { name: line(100) },
  optional: { color: [orNull(colour), null], image_url: [orNull(url()), null] },
});

const values = list(FilterOptionRequest.post, { max: 100 }).superRefine(
  onlyOnce(({ name }) => nameKey(name), 'name'),
);

const filter = {
  required: { name: line(100) },
  optional: { searchable: [bool, true], navigation: [bool, true] },
} as const;

/** The body of POST filters (contract 4.1). */
export const NewFilter = request({
  ...filter,
  optional: { ...filter.optional, values: [values, []] },
}).post;

/** The body of PUT filters: its values have rows of their own. */
export const FilterChanges = request(filter).put;
