import * as z from 'zod';

/** The outcomes of an item of a bulk change. */
const bulkStatuses = ['changed', 'unchanged', 'failed'] as const;

/** The result of one item of a bulk change. */
export const BulkResultSchema = z
  .object({
    index: z.int().describe('Place of the item in items, counted from 0.'),
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
