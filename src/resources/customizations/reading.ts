import { linkedIds, linkedTo, type Link } from '../../db/links.ts';
import { many } from '../../db/relations.ts';
import { customizationProducts, customizations, products } from '../../db/schema/store.ts';
import type { Store } from '../../db/store.ts';
import type { Row } from '../../db/table.ts';
import { present as presentProduct } from '../shapes/product-reading.ts';

/** The products that offer a customization. */
export const offers = {
  table: customizationProducts,
  owner: customizations,
  ownerId: customizationProducts.customization_id,
  linked: products,
  linkedId: customizationProducts.product_id,
} satisfies Link;

const own = { products_ids: linkedIds(offers, customizations) };
const withProducts = { ...own, products: many(products, linkedTo(offers, customizations.id)) };

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
