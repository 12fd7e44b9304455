import type * as z from 'zod';
import { requestBodies } from '../../codecs/body/request-bodies.ts';
import { arrayOf, uniqueBy } from '../../codecs/fields/arrays-and-objects.ts';
import { recordId } from '../../codecs/fields/ids.ts';
import { nameKey } from '../../codecs/fields/normalize-text.ts';
import { int } from '../../codecs/fields/scalars.ts';
import { changedFields, productFields, requiredFields } from '../../resources/products/requests.ts';
import {
  changedSkuFields,
  maxQuantity,
  maxSkusPerProduct,
  NewSku,
} from '../../resources/products/skus/requests.ts';

const max = maxSkusPerProduct;

/** A SKU in a line: one of the product by its `id` or `sku`, else a new one with its first `quantity`. */
const SkuLine = requestBodies({
  optional: {
    id: [recordId().describe('Id of a SKU of this product; without one, sku says which.'), 1],
    ...changedSkuFields,
    quantity: [
      int(0, maxQuantity).describe('First stock of a new SKU; ignored for a SKU that exists.'),
      0,
    ],
  },
}).put;

const skus = arrayOf(SkuLine, { max }).superRefine(
  uniqueBy(({ sku, id }) => (sku === undefined ? id : nameKey(sku)), 'sku'),
);

/** A line that changes a product. What it does not have stays. */
export const ProductLine = requestBodies({
  optional: {
    id: [recordId().describe('Id of the product to change; without one, slug says which.'), 1],
    ...changedFields,
    skus: [skus, []],
  },
}).put;

const newSkus = arrayOf(NewSku, { max }).superRefine(uniqueBy(({ sku }) => nameKey(sku), 'sku'));

/** A line that creates a product. */
export const NewProductLine = requestBodies({
  required: requiredFields,
  optional: { ...productFields, skus: [newSkus, []] },
}).post;

export type ProductLine = z.output<typeof ProductLine>;
