import { sql } from 'drizzle-orm';
import type { Condition } from '../base/codecs/listing/field-types.ts';
import type { StoreDb } from '../data/core/store-db.ts';
import type { LinkedFilter, LinkedFilters } from '../data/lists/record-source.ts';
import { conjuncts } from '../data/lists/sources.ts';
import { isLinkedWithAny } from '../data/queries/links.ts';
import { addresses, customers } from '../data/schema/store/customers-tables.ts';
import { bannersOfCategory, categoriesOfProduct, collectionsOfProduct } from './catalog-links.ts';
import { hasAnyFlag } from './flags/flagged-products.ts';

/** Ids by which a list of products can be filtered, although they are no columns. */
export const productLinkedFilters = {
  categories_ids: isLinkedWithAny(categoriesOfProduct),
  collections_ids: isLinkedWithAny(collectionsOfProduct),
  flags_ids: hasAnyFlag,
} satisfies LinkedFilters;

/** The same for a list of categories. */
export const categoryLinkedFilters = {
  banners_ids: isLinkedWithAny(bannersOfCategory),
} satisfies LinkedFilters;

const places = { city: addresses.city_folded, state: addresses.state_folded };

/**
 * The same for a list of customers by the places of their addresses. Both places must be those of
 * one address.
 */
export function customerLinkedFilters(
  { store }: StoreDb,
  where: Condition,
): Readonly<Record<keyof typeof places, LinkedFilter>> {
  const parts = conjuncts(where).flatMap((part) =>
    'column' in part && part.is === 'in' && Object.hasOwn(places, part.column)
      ? [
          sql` and ${places[part.column as keyof typeof places]} in (select value
            from json_each(${JSON.stringify(part.values)}))`,
        ]
      : [],
  );
  const there = sql.join(parts);
  const found = () => ({
    holds: sql`exists (select 1 from ${addresses} where ${addresses.store_id} = ${store.id}
      and ${addresses.customer_id} = ${customers.id}${there})`,
    source: {
      // The plus keeps SQLite from walking along all customers to find each once.
      key: sql`+${addresses.customer_id}`,
      scale: 1,
      from: sql`${addresses}`,
      where: sql`${addresses.store_id} = ${store.id}${there}`,
      isById: false,
      isExact: false,
    },
  });
  return { city: found, state: found };
}
