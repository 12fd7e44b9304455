import * as z from 'zod';
import { arrayOf, object } from '../../base/codecs/fields/arrays-and-objects.ts';
import { recordId } from '../../base/codecs/fields/ids.ts';
import { orNull } from '../../base/codecs/fields/nullable.ts';
import { int, money } from '../../base/codecs/fields/scalars.ts';
import { line } from '../../base/codecs/fields/text.ts';
import { tolerant } from '../../base/codecs/tolerant.ts';
import { maxQuantity } from '../skus/requests.ts';

/** The items of one request: as many as one transaction changes quickly. */
export const maxItems = 500;

/** How an item names its SKU. */
const skuName = {
  sku_id: recordId().optional().describe('SKU to change, by its id. Send this or sku.'),
  sku: line(60)
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

const PriceItem = object({
  ...skuName,
  price_sale: money.optional().describe('Regular price. A price that is not sent stays.'),
  price_discount: orNull(money)
    .optional()
    .describe('Price that a customer pays instead of price_sale; null ends the offer.'),
  price_cost: money.optional().describe('What the SKU costs you; customers never see it.'),
}).superRefine((item, context) => {
  requireOneName(item, context);
  const { price_sale, price_discount, price_cost } = item;
  if (price_sale === undefined && price_discount === undefined && price_cost === undefined) {
    addFieldIssue(context, 'price_sale', 'Required.');
  }
});

const itemsOf = <Item extends z.ZodType>(item: Item) =>
  arrayOf(tolerant(item), { max: maxItems }).describe(
    'Changes, one for each SKU. Each is done or fails on its own; the reply has a result for each.',
  );

export const StocksRequest = object({ items: itemsOf(StockItem) });
export const PricesRequest = object({ items: itemsOf(PriceItem) });

export type StockItem = z.output<typeof StockItem>;
export type PriceItem = z.output<typeof PriceItem>;
