import * as z from 'zod';
import { moneyOutput } from '../../base/codecs/fields/scalars.ts';
import { explainEnum, explain } from '../../base/codecs/meaning.ts';
import { dataList, type Reply } from '../../http/replies.ts';

/** The outcomes of an item of a bulk change. */
const bulkStatuses = ['changed', 'unchanged', 'failed'] as const;

const SkuPricesSchema = z
  .object({
    price_sale: moneyOutput,
    price_discount: moneyOutput.nullable(),
    price_cost: moneyOutput,
  })
  .meta({ id: 'SkuPrices' });

/* @__PURE__ */ explain(SkuPricesSchema, 'The prices of a SKU at one time.', {
  price_sale: 'Regular price of one unit.',
  price_discount: 'Price of one unit while set, instead of price_sale; null without an offer.',
  price_cost: 'What one unit costs you.',
});

/** The result of one item of a bulk change. */
const BulkResultSchema = z
  .object({
    index: z
      .int()
      .describe(
        'Place of the item in items, or among the SKUs that a filter found, counted from 0.',
      ),
    sku_id: z
      .int()
      .nullable()
      .describe('SKU that the item names, by its id. Null if the store has no such SKU.'),
    status: z
      .enum(bulkStatuses)
      .describe(
        'changed: stored, and its event is sent. unchanged: the SKU had these values already. failed: nothing was changed, errors says why.',
      ),
    errors: z
      .record(z.string(), z.array(z.string()))
      .optional()
      .describe('Messages by field of the item. Only for failed.'),
  })
  .meta({
    id: 'BulkResult',
    description: 'What became of one item of a bulk change. Items do not depend on each other.',
  });

/** The same of prices. */
const PriceResultSchema = BulkResultSchema.extend({
  sku: z
    .string()
    .optional()
    .describe('Your code of the SKU. Of prices that a filter found or a dry run tries.'),
  name: z
    .string()
    .optional()
    .describe('What the product is called. Of prices that a filter found or a dry run tries.'),
  before: SkuPricesSchema.optional().describe(
    'Prices before the change. Of prices that a filter found or a dry run tries.',
  ),
  after: SkuPricesSchema.optional().describe(
    'Prices after the change. Of prices that a filter found or a dry run tries.',
  ),
}).meta({
  id: 'PriceResult',
  description: 'What became of the prices of one SKU in a bulk change.',
});

/** The result of an item, before serialization. */
export type ItemResult = z.input<typeof PriceResultSchema>;

const counts = {
  changed: z.int().describe('How many items are changed, or would be in a dry run.'),
  unchanged: z.int().describe('How many items had these values already.'),
  failed: z.int().describe('How many items failed; each of them says why.'),
} as const;

interface BulkResults {
  results: ItemResult[];
  isDryRun: boolean;
}

/**
 * `{"data": [...], "meta": {...}}`: the result of each item, and how many there are of each
 * outcome.
 */
function bulkReply(item: typeof BulkResultSchema): Reply<BulkResults> {
  const list = dataList(item);
  return {
    ...list,
    schema: z.object({
      data: z.array(item),
      meta: z.object({
        ...counts,
        dry_run: z.boolean().describe('Whether nothing was changed, because dry_run was sent.'),
      }),
    }),
    render: ({ results, isDryRun }, url) => {
      const { body, headers } = list.render(results, url);
      const meta = Object.fromEntries(
        bulkStatuses.map((name) => [name, results.filter(({ status }) => status === name).length]),
      );
      return { body: { ...(body as object), meta: { ...meta, dry_run: isDryRun } }, headers };
    },
  };
}

export const stocksReply = bulkReply(BulkResultSchema);
export const pricesReply = bulkReply(PriceResultSchema);

/* @__PURE__ */ explainEnum('BulkStatus', 'What became of one item of a bulk change.', {
  changed: 'Stored, and its event is sent.',
  unchanged: 'The SKU had these values already: nothing was written.',
  failed: 'Nothing was changed for this item; errors says why.',
});
