import type * as z from 'zod';
import { arrayOf, uniqueBy } from '../../base/codecs/fields/arrays-and-objects.ts';
import { recordId } from '../../base/codecs/fields/ids.ts';
import { nameKey } from '../../base/codecs/fields/normalize-text.ts';
import { int } from '../../base/codecs/fields/scalars.ts';
import { explainBody } from '../../base/codecs/meaning.ts';
import { requestBodies } from '../../base/codecs/request-bodies.ts';
import { productChangeFields, productFields, requiredFields } from '../products/requests.ts';
import { ProductSchema } from '../products/schema.ts';
import { changedSkuFields, maxQuantity, maxSkusPerProduct, NewSku } from '../skus/requests.ts';
import { SkuSchema } from '../skus/schema.ts';

const max = maxSkusPerProduct;

/**
 * A SKU in a line: one of the product by its `id` or `sku`, else a new one with its first
 * `quantity`.
 */
const SkuLine = requestBodies({
  optional: {
    id: [recordId().describe('Id of a SKU of this product; without one, sku says which.'), 1],
    ...changedSkuFields,
    quantity: [
      int(0, maxQuantity).describe(
        'First stock of a new SKU. That of a SKU that exists stays, unless stock is set.',
      ),
      0,
    ],
    quantity_before: [
      int(0, maxQuantity).describe(
        'Stock when the file was made. What quantity differs from it is added or taken, unless quantity is the stock already.',
      ),
      0,
    ],
  },
}).put;

/* @__PURE__ */ explainBody(SkuLine, SkuSchema, {
  ImportSkuInput: 'A SKU of the product: one that it has, or a new one.',
});

const skus = arrayOf(SkuLine, { max }).superRefine(
  uniqueBy(({ sku, id }) => (sku === undefined ? id : nameKey(sku)), 'sku'),
);

/** A line that changes a product. Fields that it does not have stay. */
export const ProductLine = requestBodies({
  optional: {
    id: [recordId().describe('Id of the product to change; without one, slug says which.'), 1],
    ...productChangeFields,
    skus: [skus.describe('All SKUs of the product.'), []],
  },
}).put;

/* @__PURE__ */ explainBody(ProductLine, ProductSchema, {
  ImportInput:
    'One line of the file: a product to create, or to change if it exists, with all its SKUs.',
});

const newSkus = arrayOf(NewSku, { max }).superRefine(uniqueBy(({ sku }) => nameKey(sku), 'sku'));

/** A line that creates a product. */
export const NewProductLine = requestBodies({
  required: requiredFields,
  optional: { ...productFields, skus: [newSkus, []] },
}).post;

export type ProductLine = z.output<typeof ProductLine>;
