import { eq, sql } from 'drizzle-orm';
import { categoriesOfProduct, linkedTo } from '../../db/links.ts';
import { chosen, computedNumber, many, one } from '../../db/relations.ts';
import {
  brands,
  categories,
  productImages,
  products,
  skus,
  stocks,
} from '../../db/schema/store.ts';
import type { Store } from '../../db/store.ts';
import type { Row } from '../../db/table.ts';
import { categoryExtras, presentCategory, type ReadCategory } from './category-reading.ts';

/** What can be sold of a SKU now: over all places, what is there less what is promised. */
export const stockTotal = {
  total_in_stock: computedNumber(
    sql`coalesce((select sum(${stocks.quantity} - ${stocks.reserved})
      from ${stocks} where ${stocks.sku_id} = ${skus.id}), 0)`,
  ),
};

/** The relations of a product, read in the same statement as the product. */
export const relations = {
  skus: many(skus, eq(skus.product_id, products.id), stockTotal),
  brand: one(brands, eq(brands.id, products.brand_id)),
  categories: many(
    categories,
    linkedTo(categoriesOfProduct, products.id),
    categoryExtras(categories),
  ),
  images: many(
    productImages,
    eq(productImages.product_id, products.id),
    {},
    productImages.position,
  ),
};

/** The relations that a query's `include` names. */
export const included = (names: readonly string[]) => chosen(relations, names);

/** Adds what follows from the store and the product: its owner and its addresses in the shop. */
export function present<P extends Row<typeof products> & { categories?: { data: ReadCategory[] } }>(
  store: Store,
  { categories, ...product }: P,
) {
  const url = `${store.base_url}/products/${product.slug}`;
  return {
    ...product,
    ...(categories && {
      categories: { data: categories.data.map((one) => presentCategory(store, one)) },
    }),
    merchant_id: store.id,
    has_variations: !product.simple,
    url,
    preview_url: `${url}?preview=1`,
  };
}
