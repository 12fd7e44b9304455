import * as z from 'zod';
import { shownBool } from '../../wire/bool.ts';
import { bracketedIds } from '../../wire/bracketed-ids.ts';
import { dateTime } from '../../wire/datetime.ts';

const named = z.object({
  products_ids: bracketedIds,
  brands_ids: bracketedIds,
  collections_ids: bracketedIds,
  categories_ids: bracketedIds,
});

/** A flag as it is shown (contract 3.10). */
export const Flag = z
  .object({
    id: z.int(),
    active: shownBool,
    is_visible: shownBool,
    name: z.string(),
    slug: z.string(),
    total_products: z.int().meta({ description: 'Active products that carry the flag.' }),
    text_color: z.string(),
    background_color: z.string(),
    image_url: z.string().nullable(),
    created_at: dateTime,
    updated_at: dateTime,
    include: named,
    exclude: named,
    include_ids: bracketedIds,
    exclude_ids: bracketedIds,
  })
  .meta({ id: 'Flag' });
