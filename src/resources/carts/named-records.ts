import type { customers, skus } from '../../db/schema/store.ts';
import type { Row } from '../../db/table.ts';
import type { FieldErrors } from '../../problem.ts';

/** The errors of items whose SKU the store does not have, or does not sell now. */
export const itemErrors = (
  items: readonly { sku_id: number }[],
  known: readonly Row<typeof skus>[],
): FieldErrors =>
  Object.fromEntries(
    items.flatMap(({ sku_id }, place) => {
      const sku = known.find(({ id }) => id === sku_id);
      if (sku && !sku.blocked_sale) return [];
      const sentence = sku ? 'This SKU is blocked for sale.' : 'No such SKU in this store.';
      return [[`items.${place}.sku_id`, [sentence]]];
    }),
  );

/** The error of a customer whom the store does not have, or not any more. */
export const customerErrors = (
  id: number | null | undefined,
  [found]: readonly Row<typeof customers>[],
): FieldErrors =>
  id && (!found || found.anonymized) ? { customer_id: ['No such customer in this store.'] } : {};
