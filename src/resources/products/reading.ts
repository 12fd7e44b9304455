import { eq, sql } from 'drizzle-orm';
import { computedNumber, many, one } from '../../db/relations.ts';
import { brands, products, skus, stocks } from '../../db/schema/store.ts';

export { present } from '../shapes/present-product.ts';

/** What can be sold of a SKU now: over all places, what is there less what is promised. */
export const stockTotal = {
  total_in_stock: computedNumber(
    sql`coalesce((select sum(${stocks.quantity} - ${stocks.reserved})
      from ${stocks} where ${stocks.sku_id} = ${skus.id}), 0)`,
  ),
};

/** The relations of a product, read in the same statement as the product. */
export const relations = {
  skus: many(skus, eq(skus.product_id, products.id), stockTotal),
  brand: one(brands, eq(brands.id, products.brand_id)),
};

/** The relations that a query's `include` names. */
export function included(names: readonly string[]): Partial<typeof relations> {
  return Object.fromEntries(Object.entries(relations).filter(([name]) => names.includes(name)));
}
