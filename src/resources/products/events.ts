import type * as z from 'zod';
import type { products } from '../../db/schema/store.ts';
import type { StoreDb } from '../../db/store.ts';
import type { Row } from '../../db/table.ts';
import type { StoreEvent } from '../../events/publish.ts';
import { inZone } from '../../wire/zone.ts';
import type { ReadCategory } from '../shapes/category-reading.ts';
import { ProductEvent } from '../shapes/product.ts';
import { present } from '../shapes/product-reading.ts';

type Related = Pick<z.input<typeof ProductEvent>, 'skus' | 'brand' | 'images'> & {
  categories: { data: ReadCategory[] };
};

/** An event of a product, which is shown with all its includes. */
export function productEvent(
  db: StoreDb,
  name: 'product.created' | 'product.updated' | 'product.deleted',
  product: Row<typeof products> & Related,
): StoreEvent {
  const resource = inZone(db.store.zone, () => ProductEvent.parse(present(db.store, product)));
  return { name, resource };
}
