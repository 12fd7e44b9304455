import type { products } from '../../db/schema/store.ts';
import type { Store } from '../../db/store.ts';
import type { Row } from '../../db/table.ts';

/** Adds what follows from the store and the product: its owner and its addresses in the shop. */
export function present<P extends Row<typeof products>>(store: Store, product: P) {
  const url = `${store.base_url}/products/${product.slug}`;
  return {
    ...product,
    merchant_id: store.id,
    has_variations: !product.simple,
    url,
    preview_url: `${url}?preview=1`,
  };
}
