import type { LinkedFilters } from '../lists/record-source.ts';
import { bannersOfCategory, categoriesOfProduct, collectionsOfProduct } from './catalog-links.ts';
import { hasAnyFlag } from './flagged-products.ts';
import { isLinkedWithAny } from './links.ts';

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
