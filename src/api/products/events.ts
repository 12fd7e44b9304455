import type * as z from 'zod';
import { runInZone } from '../../base/codecs/fields/zone.ts';
import { compileSerializer } from '../../base/codecs/serializer.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { Row } from '../../data/core/store-table.ts';
import type { products } from '../../data/schema/store/catalog-tables.ts';
import type { StoreEvent } from '../../webhooks/events/publish.ts';
import type { CategoryRecord } from '../categories/schema.ts';
import { ProductEventSchema, serializeProduct } from './schema.ts';

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
