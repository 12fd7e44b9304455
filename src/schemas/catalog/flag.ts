import * as z from 'zod';
import { bracketedIds, idOutput } from '../../codecs/fields/ids.ts';
import { boolOutput } from '../../codecs/fields/scalars.ts';
import { explain } from '../../codecs/meaning.ts';
import { recordTimes } from '../../codecs/time/date-time.ts';
import { rulesOfFlag, type FlagRules } from '../../db/catalog/flag-rules.ts';
import { flaggedProductCount } from '../../db/catalog/flagged-products.ts';
import type { Row } from '../../db/core/table.ts';
import type { flags } from '../../db/schema/store/flags.ts';

const idLists = z.object({
  products_ids: bracketedIds.describe('Products that match, as ids.'),
  brands_ids: bracketedIds.describe('Brands whose products match, as ids.'),
  collections_ids: bracketedIds.describe('Collections whose products match, as ids.'),
  categories_ids: bracketedIds.describe('Categories whose products match, as ids.'),
});

export const FlagSchema = z
  .object({
    id: idOutput,
    active: boolOutput,
    is_visible: boolOutput,
    name: z.string(),
    slug: z.string(),
    total_products: z.int(),
    text_color: z.string(),
    background_color: z.string(),
    image_url: z.string().nullable(),
    ...recordTimes,
    include: idLists,
    exclude: idLists,
    include_ids: bracketedIds,
    exclude_ids: bracketedIds,
  })
  .meta({ id: 'Flag' });

/* @__PURE__ */ explain(
  FlagSchema,
  'A seal on products, such as New or Free shipping, given by rules. Its lists of ids are texts such as [4, 8, 15].',
  {
    active:
      'Whether the seal is in use; the count and the filter flag_id work for inactive seals too.',
    is_visible:
      'Whether buyers see the seal; a hidden one can still mark products for your own work.',
    name: 'What the seal says.',
    slug: 'Short name for addresses and styles; unique in the store. Made from the name unless you send one.',
    total_products: 'Active products that have the seal now, counted at each read.',
    text_color: 'Colour of the words, as #RGB or #RRGGBB.',
    background_color: 'Colour behind the words, as #RGB or #RRGGBB.',
    image_url: 'Address of a picture to show as the seal; null shows the name.',
    include: 'What gives a product the seal: any match is enough. Empty lists match nothing.',
    exclude: 'What keeps the seal away from a product, even if include matches.',
    include_ids: 'Further products that get the seal, as ids.',
    exclude_ids: 'Further products that never get the seal, as ids.',
  },
);

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
