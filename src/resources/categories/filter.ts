import * as z from 'zod';
import { bool } from '../../wire/bool.ts';
import { fold } from '../../wire/fold.ts';
import { ids } from '../../wire/id.ts';
import { anyOf, contains, equals, type Condition } from '../../wire/listing.ts';
import { expected } from '../../wire/sentences.ts';

const contained = ['name', 'seo_title', 'seo_keywords', 'seo_description'] as const;
const same = ['slug', 'external_url', 'canonical_url'] as const;

/** The ten fields as query parameters. */
export const categoryFilters = {
  active: equals('active', 'bool'),
  featured: equals('featured', 'bool'),
  name: contains('name'),
  slug: equals('slug', 'exact'),
  seo_title: contains('seo_title'),
  seo_keywords: contains('seo_keywords'),
  seo_description: contains('seo_description'),
  banners_ids: anyOf('banners_ids', 'id'),
  external_url: equals('external_url', 'exact'),
  canonical_url: equals('canonical_url', 'exact'),
};

type Column =
  | (typeof contained)[number]
  | (typeof same)[number]
  | 'active'
  | 'featured'
  | 'banners_ids';

const text = z
  .string({ error: expected('Must be text.') })
  .max(2048, 'Must be at most 2,048 characters.');
const noFilter = z.literal('');

const fields = z.object({
  active: bool,
  featured: z.union([bool, noFilter], { error: 'Must be true or false.' }).nullish(),
  name: text.nullish(),
  slug: text.nullish(),
  seo_title: text.nullish(),
  seo_keywords: text.nullish(),
  seo_description: text.nullish(),
  banners_ids: z.union([ids(), noFilter], { error: 'Must be an array of ids.' }).nullish(),
  external_url: text.nullish(),
  canonical_url: text.nullish(),
});

/** The ten fields as the body of the list: what they ask, or nothing without a body. */
export const CategoryFilter = fields
  .transform((sent): Condition<Column> => {
    const all: Condition<Column>[] = [{ column: 'active', is: 'equals', value: sent.active }];
    if (typeof sent.featured === 'boolean') {
      all.push({ column: 'featured', is: 'equals', value: sent.featured });
    }
    for (const column of contained) {
      if (sent[column]) all.push({ column, is: 'contains', text: fold(sent[column]) });
    }
    for (const column of same) {
      if (sent[column]) all.push({ column, is: 'equals', value: sent[column] });
    }
    if (sent.banners_ids && sent.banners_ids.length > 0) {
      all.push({ column: 'banners_ids', is: 'in', values: [...sent.banners_ids] });
    }
    return { all };
  })
  .optional();
