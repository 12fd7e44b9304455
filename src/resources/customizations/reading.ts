import { isLinked, linkedIds, type Links } from '../../db/links.ts';
import { many } from '../../db/relations.ts';
import { customizationProducts, customizations, products } from '../../db/schema/store.ts';
import type { Store } from '../../db/store.ts';
import type { Row } from '../../db/table.ts';
import { present as presentProduct } from '../shapes/present-product.ts';

/** The products that offer a customization. */
export const offers: Links = {
  table: customizationProducts,
  owner: { table: customizations, column: customizationProducts.customization_id },
  target: { table: products, column: customizationProducts.product_id },
};

const own = { products_ids: linkedIds(offers) };
const withProducts = { ...own, products: many(products, isLinked(offers)) };

/** What is read with a customization: its product ids, and the products when a query asks for them. */
export const included = (
  names: readonly string[] = [],
): typeof own & Partial<typeof withProducts> => (names.includes('products') ? withProducts : own);

/** Adds what follows from the stored values. */
export function present<
  C extends Pick<Row<typeof customizations>, 'values'> & {
    products?: { data: Row<typeof products>[] };
  },
>(store: Store, customization: C) {
  const { products: offering, ...row } = customization;
  return {
    ...row,
    allowed_values: customization.values.join(','),
    ...(offering && {
      products: { data: offering.data.map((product) => presentProduct(store, product)) },
    }),
  };
}
