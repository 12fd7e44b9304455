import type * as z from 'zod';
import { recordId, ids } from '../../base/codecs/fields/ids.ts';
import { orNull } from '../../base/codecs/fields/nullable.ts';
import { periodFields } from '../../base/codecs/fields/period.ts';
import { bool, int } from '../../base/codecs/fields/scalars.ts';
import { slug, url } from '../../base/codecs/fields/string-formats.ts';
import { line, text } from '../../base/codecs/fields/text.ts';
import { explainBodies } from '../../base/codecs/meaning.ts';
import { requestBodies } from '../../base/codecs/request-bodies.ts';
import type { Restrictions } from './restriction-queries.ts';
import { CollectionSchema, RestrictedListsSchema, RestrictionsSchema } from './schema.ts';

const idLists = requestBodies({
  optional: { products_ids: [ids(), []], brands_ids: [ids(), []], categories_ids: [ids(), []] },
});

/* @__PURE__ */ explainBodies(idLists, RestrictedListsSchema, {
  CollectionRestrictionIncludeInput:
    'Products, brands and categories of one side of the restrictions.',
  CollectionRestrictionIncludePatch: 'The lists of one side of the restrictions to replace.',
});

const restrictions = requestBodies({
  optional: { include: [idLists, {}], exclude: [idLists, {}] },
});

/* @__PURE__ */ explainBodies(restrictions, RestrictionsSchema, {
  CollectionRestrictionInput:
    'What the collection takes in beside its products, and what it leaves out.',
  CollectionRestrictionPatch: 'The sides of the restrictions to change.',
});

export const CollectionRequest = requestBodies({
  required: { active: bool, name: line(255) },
  optional: {
    slug: [slug(255), undefined],
    parent_id: [orNull(recordId()), null],
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
    url: [
      orNull(url()).describe(
        'Address of the collection if it is not the usual one; null for the usual one.',
      ),
      null,
    ],
    products_ids: [ids().describe('Products of the collection, as ids; replaces all of them.'), []],
    banners_ids: [ids().describe('Banners of the collection, as ids; replaces all of them.'), []],
    restrictions: [{ post: orNull(restrictions.post), put: orNull(restrictions.put) }, null],
  },
});

/* @__PURE__ */ explainBodies(CollectionRequest, CollectionSchema, {
  CollectionInput: 'A new campaign or theme, for a time or for good.',
  CollectionPatch: 'The fields of a collection to change.',
});

export type NewCollection = z.output<typeof CollectionRequest.post>;
export type CollectionChanges = z.output<typeof CollectionRequest.put>;

const ascending = (ids: readonly number[] = []) => ids.toSorted((a, b) => a - b);

/**
 * Applies sent restrictions. Lists that are not sent stay; ids are ascending, as in the database.
 */
export function mergeRestrictions(
  before: Restrictions | null,
  sent: CollectionChanges['restrictions'],
): Restrictions | null {
  if (sent === undefined) return before;
  if (sent === null) return null;
  const mergeSide = (name: 'include' | 'exclude') => {
    const lists = { ...before?.[name], ...sent[name] };
    return {
      products_ids: ascending(lists.products_ids),
      brands_ids: ascending(lists.brands_ids),
      categories_ids: ascending(lists.categories_ids),
    };
  };
  return { include: mergeSide('include'), exclude: mergeSide('exclude') };
}
