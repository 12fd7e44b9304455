import type * as z from 'zod';
import { runInZone } from '../../base/codecs/fields/zone.ts';
import { compileSerializer } from '../../base/codecs/serializer.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { Row } from '../../data/core/store-table.ts';
import type { products } from '../../data/schema/store/catalog-tables.ts';
import type { StoreEvent } from '../../webhooks/events/publish.ts';
import { updatedFields } from '../../webhooks/events/updated-fields.ts';
import type { CategoryRecord } from '../categories/schema.ts';
import { ProductEventSchema, serializeProduct } from './schema.ts';

const serializeEvent = compileSerializer(ProductEventSchema);

type ProductWithRelations = Row<typeof products> & Related;

type Related = Pick<z.input<typeof ProductEventSchema>, 'skus' | 'brand' | 'images'> & {
  categories: { data: CategoryRecord[] };
};

/**
 * Returns an event of a product. An update names the fields that differ from the product `before`
 * it.
 */
export function toProductEvent(
  db: StoreDb,
  name: 'product.created' | 'product.updated' | 'product.deleted',
  product: ProductWithRelations,
  before?: ProductWithRelations,
): StoreEvent {
  const after = serializeProduct(db.store, product);
  const resource = runInZone(db.store.zone, () => serializeEvent(after));
  if (!before) return { name, resource };
  return {
    name,
    resource,
    changed: updatedFields(resource, serializeProduct(db.store, before), after),
  };
}
