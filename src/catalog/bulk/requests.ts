import * as z from 'zod';
import { arrayOf, object } from '../../base/codecs/fields/arrays-and-objects.ts';
import { recordId } from '../../base/codecs/fields/ids.ts';
import { orNull } from '../../base/codecs/fields/nullable.ts';
import { bool, int, money, number } from '../../base/codecs/fields/scalars.ts';
import { choice, code, line } from '../../base/codecs/fields/text.ts';
import { filterObject } from '../../base/codecs/listing/filter-object.ts';
import { explainEnum, explainBody } from '../../base/codecs/meaning.ts';
import { tolerant } from '../../base/codecs/tolerant.ts';
import { productList } from '../products/requests.ts';
import { maxQuantity } from '../skus/requests.ts';

/** The items of one request: as many as one transaction changes quickly. */
export const maxItems = 500;

/** How an item names its SKU. */
const skuName = {
  sku_id: recordId().optional().describe('SKU to change, by its id. Send this or sku.'),
  sku: code(60)
    .optional()
    .describe('SKU to change, by your own code, in any letter case. Send this or sku_id.'),
} as const;

type SkuName = { sku_id?: number | undefined; sku?: string | undefined };

const addFieldIssue = (context: z.core.$RefinementCtx, field: string, message: string) =>
  context.addIssue({ code: 'custom', path: [field], message });

function requireOneName({ sku_id, sku }: SkuName, context: z.core.$RefinementCtx) {
  if (sku_id === undefined && sku === undefined) addFieldIssue(context, 'sku_id', 'Required.');
  if (sku_id !== undefined && sku !== undefined) {
    addFieldIssue(context, 'sku', 'Must not be sent together with sku_id.');
  }
}

const StockItem = object({
  ...skuName,
  stock_id: z
    .prefault(recordId(), 1)
    .describe('Location of the stock. Every SKU has location 1, which is the default.'),
  quantity: int(0, maxQuantity)
    .optional()
    .describe('Units that are there from now on, reserved ones included. Send this or delta.'),
  delta: int(-maxQuantity, maxQuantity)
    .optional()
    .describe('Units that came in, or left if negative; adds to what is stored then.'),
}).superRefine((item, context) => {
  requireOneName(item, context);
  const { quantity, delta } = item;
  if (quantity === undefined && delta === undefined)
    addFieldIssue(context, 'quantity', 'Required.');
  if (quantity !== undefined && delta !== undefined) {
    addFieldIssue(context, 'delta', 'Must not be sent together with quantity.');
  }
});

/* @__PURE__ */ explainBody(StockItem, { StocksItemPatch: 'The new stock of one SKU.' });

const newPrices = {
  price_sale: money.optional().describe('Regular price. A price that is not sent stays.'),
  price_discount: orNull(money)
    .optional()
    .describe('Price that a customer pays instead of price_sale; null ends the offer.'),
  price_cost: money.optional().describe('What the SKU costs you; customers never see it.'),
} as const;

/** The prices of a SKU. */
const priceNames = ['price_sale', 'price_discount', 'price_cost'] as const;

type PriceName = (typeof priceNames)[number];

function requirePrice(sent: Partial<Record<PriceName, unknown>>, context: z.core.$RefinementCtx) {
  if (priceNames.every((name) => sent[name] === undefined)) {
    addFieldIssue(context, 'price_sale', 'Required.');
  }
}

const PriceItem = object({ ...skuName, ...newPrices })
  .superRefine(requireOneName)
  .superRefine(requirePrice);

/* @__PURE__ */ explainBody(PriceItem, { PricesItemPatch: 'The new prices of one SKU.' });

const itemsOf = <Item extends z.ZodType>(item: Item) =>
  arrayOf(tolerant(item), { max: maxItems }).describe(
    'Changes, one for each SKU. Each is done or fails on its own; the reply has a result for each.',
  );

const dry_run = bool
  .optional()
  .describe('true changes nothing, and answers what the same call would change.');

export const StocksRequest = object({ items: itemsOf(StockItem), dry_run });

/* @__PURE__ */ explainBody(StocksRequest, {
  StocksPatch: 'The new stock of many SKUs, each named by its id or code.',
});

const productFilter = filterObject(productList, {
  id: 'Exactly these products.',
  name: 'Part of what buyers read.',
  slug: 'Part of the last word of the address in the shop.',
  sku: 'Part of your code of the product as a whole; each SKU has its own.',
  brand_id: 'Products of any of these brands.',
});

/* @__PURE__ */ explainBody(productFilter, {
  PricesFilterPatch: 'Filters that the products of the SKUs fit, all of them.',
});

const newPricesOfAll = object(newPrices).superRefine(requirePrice);

/* @__PURE__ */ explainBody(newPricesOfAll, {
  PricesSetPatch: 'The new prices of all SKUs that are found.',
});

/** The change of all SKUs that a filter finds. */
const foundPrices = {
  filter: productFilter.describe(
    'Changes the SKUs of all products that fit, instead of items: the filters of GET /{alias}/catalog/products.',
  ),
  variant: line(120).describe(
    'With filter: only SKUs with this text in their title, a variation or their code, whatever its case and accents.',
  ),
  percent: number({ min: -100, max: 1_000, decimals: 4 }).describe(
    'With filter: by how many percent the price changes, such as 5 or -12.5. Exact, and rounded to cents, half a cent up.',
  ),
  price: choice(priceNames).describe(
    'With percent: the price that changes; price_sale if left out.',
  ),
  of: choice(priceNames).describe(
    'With percent: the price that it is computed from; the same if left out. A SKU without it stays.',
  ),
  set: newPricesOfAll.describe(
    'With filter, instead of percent: the new prices of all SKUs, as in an item.',
  ),
} as const;

export const PricesRequest = object({
  items: itemsOf(PriceItem).optional(),
  ...z.object(foundPrices).partial().shape,
  dry_run,
})
  .superRefine(({ items, filter, percent, set, ...others }, context) => {
    const refuse = (name: string, isRefused: boolean, message: string) =>
      isRefused && addFieldIssue(context, name, message);
    refuse('items', !items && !filter, 'Required, unless filter is sent.');
    refuse('filter', Boolean(items && filter), 'Must not be sent together with items.');
    refuse(
      'percent',
      Boolean(filter && !items) && percent === undefined && !set,
      'Required, unless set is sent.',
    );
    refuse('set', percent !== undefined && Boolean(set), 'Must not be sent together with percent.');
    const { variant, price, of } = others;
    for (const [name, value] of Object.entries({ variant, percent, set })) {
      refuse(name, !filter && value !== undefined, 'Must be sent together with filter.');
    }
    for (const [name, value] of Object.entries({ price, of })) {
      refuse(
        name,
        percent === undefined && value !== undefined,
        'Must be sent together with percent.',
      );
    }
  })
  .meta({ examples: [{ filter: { q: 'shirt' }, variant: 'blue', percent: 5 }] });

/* @__PURE__ */ explainBody(PricesRequest, {
  PricesPatch: 'The new prices of many SKUs, each named by its id or code, or found by a filter.',
});

export type StockItem = z.output<typeof StockItem>;
export type PriceItem = z.output<typeof PriceItem>;
export type PricesRequest = z.output<typeof PricesRequest>;

/* @__PURE__ */ explainEnum('PriceName', 'One of the prices of a SKU.', {
  price_sale: 'The regular price.',
  price_discount: 'The price of an offer, which buyers pay instead while it is set.',
  price_cost: 'What one unit costs you.',
});
