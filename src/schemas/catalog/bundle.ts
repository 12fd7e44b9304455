import { eq } from 'drizzle-orm';
import * as z from 'zod';
import { idOutput } from '../../codecs/fields/ids.ts';
import { boolOutput, moneyOutput } from '../../codecs/fields/scalars.ts';
import { explain } from '../../codecs/meaning.ts';
import { recordTimes } from '../../codecs/time/date-time.ts';
import type { Store } from '../../db/core/store.ts';
import { toMany } from '../../db/query/relations.ts';
import { bundleItems, bundles } from '../../db/schema/store/product-extras.ts';

const BundleItemSchema = z
  .object({
    id: idOutput,
    bundle_id: z.int(),
    sku_id: z.int(),
    quantity: z.int(),
    price_type: z.enum(['sku', 'fixed', 'discount']),
    price: moneyOutput.nullable(),
    discount: z.number(),
    ...recordTimes,
  })
  .meta({ id: 'BundleItem' });

/* @__PURE__ */ explain(BundleItemSchema, 'One SKU of a kit, with its share of the price.', {
  bundle_id: 'Kit that the item is part of.',
  sku_id: 'SKU that is sold with the kit; deleting the SKU takes it out of its kits.',
  quantity: 'Units of the SKU in one kit.',
  price_type:
    'What a unit costs in the kit: sku its own price, fixed the price given here, discount its own price less discount.',
  price: 'Price of a unit when price_type is fixed, in the currency of the store; else unused.',
  discount: 'Per cent off the price of the SKU when price_type is discount.',
});

/** One kit. Its name in the specification is `Bundles`. */
export const BundlesSchema = z
  .object({
    id: idOutput,
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
    ...recordTimes,
  })
  .meta({ id: 'Bundles' });

/* @__PURE__ */ explain(BundlesSchema, 'A kit: several SKUs that are bought together.', {
  name: 'What buyers read; need not be unique.',
  image_url: 'Address of the picture of the kit, which you host.',
  active: 'Whether the kit is on sale; becomes false when its last SKU is deleted.',
  modifiable: 'Whether buyers may change the quantities of the items.',
  custom_shipping:
    'Whether shipping_type, shipping_price and shipping_days replace the usual shipping.',
  shipping_type:
    'With custom_shipping: default is the usual price, fixed is shipping_price, free costs nothing.',
  shipping_price:
    'What shipping one kit costs when shipping_type is fixed, in the currency of the store.',
  shipping_days: 'Days until delivery with custom_shipping; null leaves it to the carrier.',
  purchase_url: 'Page of the shop that sells the kit, made from the id.',
  items: 'SKUs of the kit, 1 to 100, by id; always part of the response.',
});

/** The items of a kit: at most 100, as many as a relation can hold. */
export const bundleRelations = {
  items: toMany(bundleItems, eq(bundleItems.bundle_id, bundles.id)),
};

export const serializeBundle = <B extends { id: number }>(store: Store, bundle: B) => ({
  ...bundle,
  purchase_url: `${store.base_url}/bundles/${bundle.id}`,
});
