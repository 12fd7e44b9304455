import type * as z from 'zod';
import type { Restrictions } from '../../db/restrictions.ts';
import { bool } from '../../wire/bool.ts';
import { id, ids } from '../../wire/id.ts';
import { int } from '../../wire/number.ts';
import { orNull } from '../../wire/or-null.ts';
import { periodFields } from '../../wire/period.ts';
import { request } from '../../wire/request.ts';
import { slug } from '../../wire/slug.ts';
import { line, text } from '../../wire/text.ts';
import { url } from '../../wire/url.ts';

const named = request({
  optional: { products_ids: [ids(), []], brands_ids: [ids(), []], categories_ids: [ids(), []] },
});

const restrictions = request({ optional: { include: [named, {}], exclude: [named, {}] } });

/** The body of POST and PUT collections (contract 3.5). */
export const CollectionRequest = request({
  required: { active: bool, name: line(255) },
  optional: {
    slug: [slug(255), undefined],
    parent_id: [orNull(id()), null],
    description: [orNull(text(10_000)), null],
    show_banners: [bool, false],
    featured: [bool, false],
    home: [bool, false],
    is_promotional: [bool, false],
    visible_products: [int(0, 1000), 0],
    seo_title: [orNull(line(255)), null],
    seo_keywords: [orNull(line(1000)), null],
    seo_description: [orNull(line(1000)), null],
    ...periodFields,
    url: [orNull(url()), null],
    products_ids: [ids(), []],
    banners_ids: [ids(), []],
    restrictions: [{ post: orNull(restrictions.post), put: orNull(restrictions.put) }, null],
  },
});

export type NewCollection = z.output<typeof CollectionRequest.post>;
export type CollectionChanges = z.output<typeof CollectionRequest.put>;

const ascending = (ids: readonly number[] = []) => ids.toSorted((one, other) => one - other);

/** The restrictions after a change: members that were not sent stay; ids ascending, as they are read. */
export function mergedRestrictions(
  before: Restrictions | null,
  sent: CollectionChanges['restrictions'],
): Restrictions | null {
  if (sent === undefined) return before;
  if (sent === null) return null;
  const side = (name: 'include' | 'exclude') => {
    const all = { ...before?.[name], ...sent[name] };
    return {
      products_ids: ascending(all.products_ids),
      brands_ids: ascending(all.brands_ids),
      categories_ids: ascending(all.categories_ids),
    };
  };
  return { include: side('include'), exclude: side('exclude') };
}
