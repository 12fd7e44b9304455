import * as z from 'zod';
import { bracketedIds } from '../../codecs/fields/ids.ts';
import { boolOutput } from '../../codecs/fields/scalars.ts';
import { dateTime } from '../../codecs/time/date-time.ts';
import { rulesOfFlag, type FlagRules } from '../../db/catalog/flag-rules.ts';
import { flaggedProductCount } from '../../db/catalog/flagged-products.ts';
import type { Row } from '../../db/core/table.ts';
import type { flags } from '../../db/schema/store/flags.ts';

const idLists = z.object({
  products_ids: bracketedIds,
  brands_ids: bracketedIds,
  collections_ids: bracketedIds,
  categories_ids: bracketedIds,
});

export const FlagSchema = z
  .object({
    id: z.int(),
    active: boolOutput,
    is_visible: boolOutput,
    name: z.string(),
    slug: z.string(),
    total_products: z.int().meta({ description: 'Number of active products that have the flag.' }),
    text_color: z.string(),
    background_color: z.string(),
    image_url: z.string().nullable(),
    created_at: dateTime,
    updated_at: dateTime,
    include: idLists,
    exclude: idLists,
    include_ids: bracketedIds,
    exclude_ids: bracketedIds,
  })
  .meta({ id: 'Flag' });

/** Computed columns of a flag. */
export const flagExtras = { rules: rulesOfFlag, total_products: flaggedProductCount };

type FlagRecord = Row<typeof flags> & { rules: FlagRules; total_products: number };

/** Groups the rules of a flag into the lists of the response. */
export function serializeFlag({ rules, ...flag }: FlagRecord) {
  const side = (name: 'include' | 'exclude') => ({
    products_ids: [...(rules[`${name}.products_ids`] ?? [])],
    brands_ids: [...(rules[`${name}.brands_ids`] ?? [])],
    collections_ids: [...(rules[`${name}.collections_ids`] ?? [])],
    categories_ids: [...(rules[`${name}.categories_ids`] ?? [])],
  });
  return {
    ...flag,
    include: side('include'),
    exclude: side('exclude'),
    include_ids: [...(rules.include_ids ?? [])],
    exclude_ids: [...(rules.exclude_ids ?? [])],
  };
}
