import { totalCarriers } from '../../db/flag-carriers.ts';
import { rulesOfFlag, type FlagRules } from '../../db/flag-rules.ts';
import type { flags } from '../../db/schema/store.ts';
import type { Row } from '../../db/table.ts';

/** What is computed with each flag. */
export const flagExtras = { rules: rulesOfFlag, total_products: totalCarriers };

type Read = Row<typeof flags> & { rules: FlagRules; total_products: number };

/** A flag as it was read, its lists where the record has them. */
export function shownFlag({ rules, ...flag }: Read) {
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
