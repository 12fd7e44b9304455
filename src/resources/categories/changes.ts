import { eq, sql } from 'drizzle-orm';
import { untilFresh } from '../../db/fresh.ts';
import { bannersOfCategory, linking, newestOf, relinking } from '../../db/links.ts';
import { missing, refuseIf, unknownIds } from '../../db/references.ts';
import { differ } from '../../db/revision.ts';
import { banners, categories } from '../../db/schema/store.ts';
import { freeSlugOf, renamed, slugBase, slugsLike } from '../../db/slugs.ts';
import { lastOf } from '../../db/statement.ts';
import type { StoreDb } from '../../db/store.ts';
import { touch } from '../../db/touch.ts';
import { height, lineage, parentErrors, standsInTree } from '../../db/tree.ts';
import { readWithCategory, shownCategory } from '../shapes/category-reading.ts';
import type { CategoryChanges, NewCategory } from './requests.ts';

/** Adds a category at its place in the tree, under a slug of its own. Two round trips. */
export const createCategory = (db: StoreDb, body: NewCategory) =>
  untilFresh(async (tried) => {
    const { slug, banners_ids, filters_values_ids: _none, ...values } = body;
    const base = slug ?? slugBase(values.name, 'category');
    const [highest, above, missed] = await db.batch([
      slugsLike(db, categories, base),
      lineage(db, categories, values.parent_id),
      missing(db, banners, banners_ids),
    ]);
    refuseIf(
      parentErrors('category', values.parent_id, above),
      unknownIds('banners_ids', 'banner', missed),
    );
    const made = freeSlugOf(base, highest[0]?.slug, tried);
    const newest = newestOf(db, categories);
    const [, , , rows] = await renamed(slug === undefined, () =>
      db.batch([
        db.insertion(categories, { ...values, slug: slug ?? made }),
        linking(db, bannersOfCategory, newest, banners_ids),
        db.must(standsInTree(db, categories, newest)),
        db.select(categories, {
          where: eq(categories.id, newest),
          extras: readWithCategory([]),
        }),
      ]),
    );
    return rows.map((row) => shownCategory(db, row))[0];
  });

/** Changes a category. One round trip, two with a change. */
export const updateCategory = (db: StoreDb, id: number, body: CategoryChanges) =>
  untilFresh(async () => {
    const { banners_ids: sent, filters_values_ids: _none, ...changes } = body;
    const [found, above, levels, missed] = await db.batch([
      db.selectOne(categories, id, readWithCategory([])),
      lineage(db, categories, changes.parent_id),
      height(db, categories, id),
      missing(db, banners, sent ?? []),
    ]);
    const before = found[0];
    if (!before) return undefined;
    refuseIf(
      parentErrors('category', changes.parent_id, above, { id, levels: levels[0]?.levels ?? 1 }),
      unknownIds('banners_ids', 'banner', missed),
    );
    const banners_ids = (sent ?? before.banners_ids).toSorted((one, other) => one - other);
    const isRelinked = differ(before, { banners_ids });
    if (!isRelinked && !differ(before, changes)) return shownCategory(db, before);
    const results = await db.batch([
      db.change(categories, eq(categories.id, id), changes),
      ...(isRelinked
        ? [
            ...relinking(db, bannersOfCategory, id, banners_ids),
            touch(db, categories, eq(categories.id, id)),
          ]
        : []),
      ...(changes.parent_id ? [db.must(standsInTree(db, categories, id))] : []),
      db.selectOne(categories, id, readWithCategory([])),
    ]);
    return lastOf(results).map((row) => shownCategory(db, row))[0];
  });

/** Removes a category; those below it move up to its parent. One round trip. */
export const deleteCategory = (db: StoreDb, id: number) =>
  db.remove(categories, id, [
    db.change(categories, eq(categories.parent_id, id), {
      parent_id: sql`(select parent_id from ${categories} where id = ${id} and store_id = ${db.store.id})`,
    }),
  ]);
