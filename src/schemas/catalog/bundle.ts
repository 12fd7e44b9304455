import { eq } from 'drizzle-orm';
import * as z from 'zod';
import { boolOutput, moneyOutput } from '../../codecs/fields/scalars.ts';
import { dateTime } from '../../codecs/time/date-time.ts';
import type { Store } from '../../db/core/store.ts';
import { toMany } from '../../db/query/relations.ts';
import { bundleItems, bundles } from '../../db/schema/store/product-extras.ts';

const BundleItemSchema = z
  .object({
    id: z.int(),
    bundle_id: z.int(),
    sku_id: z.int(),
    quantity: z.int(),
    price_type: z.enum(['sku', 'fixed', 'discount']),
    price: moneyOutput.nullable(),
    discount: z.number(),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'BundleItem' });

/** One kit. Its name in the specification is `Bundles`. */
export const BundlesSchema = z
  .object({
    id: z.int(),
    name: z.string(),
    image_url: z.string(),
    active: boolOutput,
    modifiable: boolOutput,
    custom_shipping: boolOutput,
    shipping_type: z.enum(['default', 'fixed', 'free']),
    shipping_price: moneyOutput.nullable(),
    shipping_days: z.int().nullable(),
    purchase_url: z.string(),
    items: z.object({ data: z.array(BundleItemSchema) }),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'Bundles' });

/** The items of a kit: at most 100, as many as a relation can hold. */
export const bundleRelations = {
  items: toMany(bundleItems, eq(bundleItems.bundle_id, bundles.id)),
};

export const serializeBundle = <B extends { id: number }>(store: Store, bundle: B) => ({
  ...bundle,
  purchase_url: `${store.base_url}/bundles/${bundle.id}`,
});
