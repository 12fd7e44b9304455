import * as z from 'zod';
import { recordId, ids } from '../../base/codecs/fields/ids.ts';
import { foldText } from '../../base/codecs/fields/normalize-text.ts';
import { orNull } from '../../base/codecs/fields/nullable.ts';
import { bool, int, number } from '../../base/codecs/fields/scalars.ts';
import { slug, url } from '../../base/codecs/fields/string-formats.ts';
import { stringInput, tooLong } from '../../base/codecs/fields/string-input.ts';
import { code, identifier, line, text } from '../../base/codecs/fields/text.ts';
import { anyOf, contains, equals, type Condition } from '../../base/codecs/listing/listing.ts';
import { explainBodies, explainBody } from '../../base/codecs/meaning.ts';
import { requestBodies } from '../../base/codecs/request-bodies.ts';
import { FullCategorySchema } from './schema.ts';

export const CategoryRequest = requestBodies({
  required: { active: bool, name: line(255) },
  optional: {
    parent_id: [orNull(recordId()), null],
    slug: [slug(255), undefined],
    featured: [bool, false],
    home: [bool, false],
    description: [orNull(text(10_000)), null],
    price_factor: [number({ above: 0, max: 1000, decimals: 4 }), 1],
    seo_title: [orNull(line(255)), null],
    seo_keywords: [orNull(line(1000)), null],
    seo_description: [orNull(line(1000)), null],
    external_url: [orNull(url()), null],
    canonical_url: [orNull(url()), null],
    order: [int(0, 1_000_000), 0],
    sort_by: [identifier, 'relevance'],
    banners_ids: [ids(), []],
    filters_values_ids: [ids(), []],
    category_cover: [orNull(url()), null],
    ml_category: [orNull(code(100)), null],
  },
});

/* @__PURE__ */ explainBodies(CategoryRequest, FullCategorySchema, {
  CategoryInput: 'A new shelf of the shop, at the top or below parent_id.',
  CategoryPatch: 'The fields of a category to change; parent_id moves it with everything below.',
});

export type NewCategory = z.output<typeof CategoryRequest.post>;
export type CategoryChanges = z.output<typeof CategoryRequest.put>;

const textColumns = ['name', 'seo_title', 'seo_keywords', 'seo_description'] as const;
const equalColumns = ['slug', 'external_url', 'canonical_url'] as const;

/** The ten filters of the list as query parameters. */
export const categoryFilters = {
  active: equals(
    'active',
    'bool',
    'true for categories that the shop shows, false for hidden ones. Without it, both.',
  ),
  featured: equals(
    'featured',
    'bool',
    'true for highlighted categories, false for the others. Without it, both.',
  ),
  name: contains(
    'name',
    'Categories whose name contains this text, whatever the case and accents.',
  ),
  slug: equals('slug', 'exact', 'The category with exactly this slug.'),
  seo_title: contains('seo_title', 'Categories whose title for search engines contains this text.'),
  seo_keywords: contains('seo_keywords', 'Categories whose search words contain this text.'),
  seo_description: contains(
    'seo_description',
    'Categories whose summary for search engines contains this text.',
  ),
  banners_ids: anyOf(
    'banners_ids',
    'id',
    'Categories that show any of these banners, separated by commas or as several banners_ids[].',
  ),
  external_url: equals(
    'external_url',
    'url',
    'Categories whose menu entry leads to exactly this address.',
  ),
  canonical_url: equals('canonical_url', 'url', 'Categories with exactly this canonical address.'),
};

type FilterColumn =
  | (typeof textColumns)[number]
  | (typeof equalColumns)[number]
  | 'active'
  | 'featured'
  | 'banners_ids';

const maxFilterLength = 2048;
const filterText = stringInput('Must be text.', maxFilterLength).max(
  maxFilterLength,
  tooLong(maxFilterLength),
);
const noFilter = z.literal('');

const filterFields = z.object({
  active: bool.describe(
    'Only categories that are active, or only those that are not. Required in a body.',
  ),
  featured: z
    .union([bool, noFilter], { error: 'Must be true or false.' })
    .nullish()
    .describe('Only categories with this value; null or "" for any.'),
  name: filterText.nullish().describe('Part of what buyers read.'),
  slug: filterText.nullish().describe('Only the category whose address ends with exactly this.'),
  seo_title: filterText.nullish().describe('Part of the title for search engines.'),
  seo_keywords: filterText.nullish().describe('Part of the search words.'),
  seo_description: filterText.nullish().describe('Part of the summary for search engines.'),
  banners_ids: z
    .preprocess((value) => (value === '' ? null : value), ids().nullable())
    .optional()
    .describe('Categories that show any of these banners.'),
  external_url: z
    .optional(orNull(url()))
    .describe('Only categories that lead to exactly this page elsewhere.'),
  canonical_url: z
    .optional(orNull(url()))
    .describe('Only categories that name exactly this page as their original.'),
});

/* @__PURE__ */ explainBody(filterFields, {
  CategoriesFilter: 'Conditions that the listed categories fulfil, all of them.',
});

/** The ten filters of the list as an optional JSON body. Returns the condition that they mean. */
export const CategoryFilterRequest = filterFields
  .transform((body): Condition<FilterColumn> => {
    const conditions: Condition<FilterColumn>[] = [
      { column: 'active', is: 'equals', value: body.active },
    ];
    if (typeof body.featured === 'boolean') {
      conditions.push({ column: 'featured', is: 'equals', value: body.featured });
    }
    for (const column of textColumns) {
      if (body[column]) conditions.push({ column, is: 'contains', text: foldText(body[column]) });
    }
    for (const column of equalColumns) {
      if (body[column]) conditions.push({ column, is: 'equals', value: body[column] });
    }
    if (body.banners_ids && body.banners_ids.length > 0) {
      conditions.push({ column: 'banners_ids', is: 'in', values: [...body.banners_ids] });
    }
    return { all: conditions };
  })
  .optional();
