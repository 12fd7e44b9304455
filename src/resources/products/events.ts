import type * as z from 'zod';
import { compileSerializer } from '../../codecs/serializer.ts';
import { runInZone } from '../../codecs/time/zone.ts';
import type { StoreDb } from '../../db/core/store-db.ts';
import type { Row } from '../../db/core/table.ts';
import type { products } from '../../db/schema/store/catalog.ts';
import type { StoreEvent } from '../../events/publish.ts';
import type { CategoryRecord } from '../../schemas/catalog/category.ts';
import { ProductEventSchema, serializeProduct } from '../../schemas/catalog/product.ts';

const serializeEvent = compileSerializer(ProductEventSchema);

type Related = Pick<z.input<typeof ProductEventSchema>, 'skus' | 'brand' | 'images'> & {
  categories: { data: CategoryRecord[] };
};

export function toProductEvent(
  db: StoreDb,
  name: 'product.created' | 'product.updated' | 'product.deleted',
  product: Row<typeof products> & Related,
): StoreEvent {
  const resource = runInZone(db.store.zone, () =>
    serializeEvent(serializeProduct(db.store, product)),
  );
  return { name, resource };
}
