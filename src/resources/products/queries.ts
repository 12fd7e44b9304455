import { asc, inArray } from 'drizzle-orm';
import type { StoreDb } from '../../db/core/store-db.ts';
import { idsSubquery } from '../../db/query/links.ts';
import { categories } from '../../db/schema/store/categories.ts';
import { categoryExtras } from '../../schemas/catalog/category.ts';

/** Reads at most 100 categories by id, in the order and form of the relation `categories` of a product. */
export const selectCategoriesByIds = (db: StoreDb, ids: readonly number[]) =>
  db
    .select(categories, {
      where: inArray(categories.id, idsSubquery(ids)),
      extras: categoryExtras(categories),
    })
    .orderBy(asc(categories.id))
    .limit(100);
