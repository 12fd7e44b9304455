import type * as z from 'zod';
import { arrayOf, object } from '../../base/codecs/fields/arrays-and-objects.ts';
import { orNull } from '../../base/codecs/fields/nullable.ts';
import { bool, int, money, number } from '../../base/codecs/fields/scalars.ts';
import { code, line } from '../../base/codecs/fields/text.ts';
import { explainBody, explainChanges } from '../../base/codecs/meaning.ts';
import { requestBodies } from '../../base/codecs/request-bodies.ts';
import { VariationSchema } from '../products/parts-schema.ts';
import { SkuSchema, StockSchema } from './schema.ts';

/** As many as the relation `skus` of a product can hold, so that its events are complete. */
export const maxSkusPerProduct = 100;

const variation = object({ name: line(30), value: line(50) });

/* @__PURE__ */ explainBody(variation, VariationSchema, {
  VariationInput: 'A property that tells a SKU from the other variants.',
});

/** `weight` is in kilograms; the other sizes are in centimetres. */
const size = number({ min: 0, max: 1_000_000, decimals: 4 });

/** Texts are short: each event of a product holds those of all its SKUs. */
const skuFields = {
  title: [orNull(line(120)), null],
  barcode: [orNull(code(30)), null],
  erp_id: [orNull(code(60)), null],
  blocked_sale: [bool, false],
  quantity_managed: [bool, true],
  price_cost: [money, 0],
  price_discount: [orNull(money), null],
  weight: [size, 0],
  height: [size, 0],
  width: [size, 0],
  length: [size, 0],
  availability: [int(0, 365), 0],
  variations: [arrayOf(variation, { max: 5 }), []],
} as const;

/** A new SKU. `quantity` is its initial stock. */
export const NewSku = requestBodies({
  required: { sku: code(60), price_sale: money },
  optional: {
    ...skuFields,
    quantity: [int(0, 1_000_000_000).describe('Units on hand at the start, in location 1.'), 0],
  },
}).post;

/* @__PURE__ */ explainBody(NewSku, SkuSchema, {
  SkuInput: 'A new variant of a product: its code, price and stock.',
});

/** The fields of a change: none is required. */
export const changedSkuFields = {
  ...skuFields,
  sku: [code(60), ''],
  price_sale: [money, 0],
} as const;

/** Any subset of a SKU. */
export const SkuChanges = requestBodies({ optional: changedSkuFields }).put;

/* @__PURE__ */ explainChanges(SkuChanges, SkuSchema, {
  SkuPatch: 'The fields of a variant to change; its prices count for orders from now on.',
});

/** Of one stock. */
export const maxQuantity = 1_000_000_000;

/**
 * `quantity` sets the stock, `delta` adds to it. With `expected_quantity`, `quantity` applies only
 * if the stored value is equal (optimistic lock).
 */
export const StockChanges = requestBodies({
  optional: {
    quantity: [
      int(0, maxQuantity).describe(
        'Units on hand from now on. Replaces the count; to add or take units, send delta instead.',
      ),
      0,
    ],
    expected_quantity: [
      int(0, maxQuantity).describe(
        'Sets quantity only if this is still the stored value; else 409 quantity_changed.',
      ),
      0,
    ],
    delta: [
      int(-maxQuantity, maxQuantity).describe(
        'Units to add, or to take if negative. Safe while others change the stock too.',
      ),
      0,
    ],
    min_quantity: [int(0, maxQuantity), 0],
  },
}).put.superRefine((body, context) => {
  const addFieldIssue = (field: string, message: string) =>
    context.addIssue({ code: 'custom', path: [field], message });
  if (body.quantity !== undefined && body.delta !== undefined) {
    addFieldIssue('delta', 'Must not be sent together with quantity.');
  }
  if (body.expected_quantity !== undefined && body.quantity === undefined) {
    addFieldIssue('expected_quantity', 'Must be sent together with quantity.');
  }
  if (body.quantity === undefined && body.delta === undefined && body.min_quantity === undefined) {
    addFieldIssue('quantity', 'Required.');
  }
});

/* @__PURE__ */ explainChanges(StockChanges, StockSchema, {
  SkuStockPatch: 'A new count of the units on hand, or how many are added or taken.',
});

export type NewSku = z.output<typeof NewSku>;
export type SkuChanges = z.output<typeof SkuChanges>;
export type StockChanges = z.output<typeof StockChanges>;
