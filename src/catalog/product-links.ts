import { asc } from 'drizzle-orm';
import { unknownReference } from '../base/errors.ts';
import type { StoreDb } from '../data/core/store-db.ts';
import { isLinkedTo, linkStatement, unlinkStatement, type Link } from '../data/queries/links.ts';
import { findMissing, unknownIdErrors } from '../data/queries/references.ts';
import { products } from '../data/schema/store/catalog-tables.ts';
import { serializeProducts } from './products/schema.ts';

/**
 * Adds products to a category or collection, or removes them, and returns its products after the
 * change: at most 1,000, by id. `undefined` when the store has no such category or collection.
 * Throws a 404 that names the unknown products in `field`, and then changes nothing. Two round
 * trips.
 */
export async function associateProducts(
  db: StoreDb,
  link: Link,
  owner: number,
  { ids, field, remove = false }: { ids: number[]; field: string; remove?: boolean },
) {
  const [owners, missing] = await db.batch([
    db.selectOne(link.owner, owner),
    findMissing(db, products, ids),
  ]);
  if (owners.length === 0) return undefined;
  if (missing.length > 0) throw unknownReference(unknownIdErrors(field, 'product', missing));
  const [, rows] = await db.batch([
    (remove ? unlinkStatement : linkStatement)(db, link, owner, ids),
    db
      .select(products, { where: isLinkedTo(link, owner) })
      .orderBy(asc(products.id))
      .limit(1000),
  ]);
  return serializeProducts(db, rows);
}
