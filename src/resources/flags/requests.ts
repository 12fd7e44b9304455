import type * as z from 'zod';
import { requestBodies } from '../../codecs/body/request-bodies.ts';
import { idsOrBracketed } from '../../codecs/fields/ids.ts';
import { orNull } from '../../codecs/fields/nullable.ts';
import { bool } from '../../codecs/fields/scalars.ts';
import { colour, slug, url } from '../../codecs/fields/string-formats.ts';
import { line } from '../../codecs/fields/text.ts';
import type { FlagRules } from '../../db/catalog/flag-rules.ts';

const idLists = requestBodies({
  optional: {
    products_ids: [idsOrBracketed(), []],
    brands_ids: [idsOrBracketed(), []],
    collections_ids: [idsOrBracketed(), []],
    categories_ids: [idsOrBracketed(), []],
  },
});

export const maxFlagSlugLength = 100;

export const FlagRequest = requestBodies({
  required: { name: line(100), active: bool },
  optional: {
    is_visible: [bool, true],
    slug: [slug(maxFlagSlugLength), undefined],
    text_color: [colour, '#FFFFFF'],
    background_color: [colour, '#000000'],
    image_url: [orNull(url()), null],
    include: [idLists, {}],
    exclude: [idLists, {}],
    include_ids: [idsOrBracketed(), []],
    exclude_ids: [idsOrBracketed(), []],
  },
});

export type NewFlag = z.output<typeof FlagRequest.post>;
export type FlagChanges = z.output<typeof FlagRequest.put>;

const ascending = (ids: readonly number[]) => ids.toSorted((a, b) => a - b);

const prefixLists = (side: 'include' | 'exclude', lists: FlagChanges['include'] = {}) =>
  Object.entries(lists).map(([name, ids]) => [`${side}.${name}`, ids] as const);

/** The lists of a body as rules. Ids are ascending, as in the database. */
export function toFlagRules({
  include,
  exclude,
  ...direct
}: Pick<FlagChanges, 'include' | 'exclude' | 'include_ids' | 'exclude_ids'>) {
  const lists = [
    ...prefixLists('include', include),
    ...prefixLists('exclude', exclude),
    ...Object.entries(direct),
  ];
  return Object.fromEntries(lists.map(([list, ids]) => [list, ascending(ids)])) as FlagRules;
}
