import { asc, inArray, sql } from 'drizzle-orm';
import { categories } from '../../db/schema/store.ts';
import type { StoreDb } from '../../db/store.ts';
import { categoryExtras } from '../shapes/category-reading.ts';

/** Reads the categories that a body names, as the include of a product shows them: at most 100, by id. */
export const categoriesNamed = (db: StoreDb, ids: readonly number[]) =>
  db
    .select(categories, {
      where: inArray(categories.id, sql`(select value from json_each(${JSON.stringify(ids)}))`),
      extras: categoryExtras(categories),
    })
    .orderBy(asc(categories.id))
    .limit(100);
