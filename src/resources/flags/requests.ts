import type * as z from 'zod';
import type { FlagRules } from '../../db/flag-rules.ts';
import { bool } from '../../wire/bool.ts';
import { idsOrBracketed } from '../../wire/bracketed-ids.ts';
import { colour } from '../../wire/colour.ts';
import { orNull } from '../../wire/or-null.ts';
import { request } from '../../wire/request.ts';
import { slug } from '../../wire/slug.ts';
import { line } from '../../wire/text.ts';
import { url } from '../../wire/url.ts';

const named = request({
  optional: {
    products_ids: [idsOrBracketed(), []],
    brands_ids: [idsOrBracketed(), []],
    collections_ids: [idsOrBracketed(), []],
    categories_ids: [idsOrBracketed(), []],
  },
});

/** The longest slug of a flag. */
export const longestSlug = 100;

/** The body of POST and PUT flags (contract 3.10). */
export const FlagRequest = request({
  required: { name: line(100), active: bool },
  optional: {
    is_visible: [bool, true],
    slug: [slug(longestSlug), undefined],
    text_color: [colour, '#FFFFFF'],
    background_color: [colour, '#000000'],
    image_url: [orNull(url()), null],
    include: [named, {}],
    exclude: [named, {}],
    include_ids: [idsOrBracketed(), []],
    exclude_ids: [idsOrBracketed(), []],
  },
});

export type NewFlag = z.output<typeof FlagRequest.post>;
export type FlagChanges = z.output<typeof FlagRequest.put>;

const ascending = (ids: readonly number[]) => ids.toSorted((one, other) => one - other);

const membersOf = (side: 'include' | 'exclude', sent: FlagChanges['include'] = {}) =>
  Object.entries(sent).map(([member, ids]) => [`${side}.${member}`, ids] as const);

/** The lists that were sent; ids ascending, as they are read. */
export function sentRules({
  include,
  exclude,
  ...direct
}: Pick<FlagChanges, 'include' | 'exclude' | 'include_ids' | 'exclude_ids'>) {
  const lists = [
    ...membersOf('include', include),
    ...membersOf('exclude', exclude),
    ...Object.entries(direct),
  ];
  return Object.fromEntries(lists.map(([list, ids]) => [list, ascending(ids)])) as FlagRules;
}
