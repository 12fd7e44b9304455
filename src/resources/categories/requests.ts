import type * as z from 'zod';
import { bool } from '../../wire/bool.ts';
import { id, ids } from '../../wire/id.ts';
import { int, number } from '../../wire/number.ts';
import { orNull } from '../../wire/or-null.ts';
import { openWord, openWordSentence } from '../../wire/period.ts';
import { request } from '../../wire/request.ts';
import { slug } from '../../wire/slug.ts';
import { line, text } from '../../wire/text.ts';
import { url } from '../../wire/url.ts';
import { word } from '../../wire/words.ts';

/** The body of POST and PUT categories (contract 3.4). */
export const CategoryRequest = request({
  required: { active: bool, name: line(255) },
  optional: {
    parent_id: [orNull(id()), null],
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
    sort_by: [word(openWord, openWordSentence), 'relevance'],
    banners_ids: [ids(), []],
    filters_values_ids: [ids(), []],
    category_cover: [orNull(url()), null],
    ml_category: [orNull(line(100)), null],
  },
});

export type NewCategory = z.output<typeof CategoryRequest.post>;
export type CategoryChanges = z.output<typeof CategoryRequest.put>;
