import { and, eq, sql } from 'drizzle-orm';
import { products } from './schema/catalog.ts';

/** Raises the revision of a product, so that whoever read an older state notices. */
export const nextRevision = { revision: sql`${products.revision} + 1` };

/** The product as it was read. */
export const atRevision = (product: { id: number; revision: number }) =>
  and(eq(products.id, product.id), eq(products.revision, product.revision));

/** Whether any sent value is another one than the stored one; values are plain JSON data. */
export function differ(before: Record<string, unknown>, changes: object): boolean {
  return Object.entries(changes).some(
    ([name, value]) => JSON.stringify(before[name]) !== JSON.stringify(value),
  );
}
