import { eq, sql } from 'drizzle-orm';
import { untilFresh } from '../../db/fresh.ts';
import {
  bannersOfCategory,
  filterValuesOfCategory,
  linking,
  newestOf,
  relinkingIfOther,
} from '../../db/links.ts';
import { missing, refuseIf, unknownIds } from '../../db/references.ts';
import { differ } from '../../db/revision.ts';
import { banners, categories, filterValues } from '../../db/schema/store.ts';
import { freeSlugOf, renamed, slugBase, slugsLike } from '../../db/slugs.ts';
import { lastOf } from '../../db/statement.ts';
import type { StoreDb } from '../../db/store.ts';
import { touch } from '../../db/touch.ts';
import { height, lineage, parentErrors, standsInTree } from '../../db/tree.ts';
import { readWithCategory, shownCategory } from '../shapes/category-reading.ts';
import type { CategoryChanges, NewCategory } from './requests.ts';

type Linked = Pick<CategoryChanges, 'banners_ids' | 'filters_values_ids'>;

/** Reads what a body names and this store has not. */
const unknownOf = (db: StoreDb, body: Linked) =>
  [
    missing(db, banners, body.banners_ids ?? []),
    missing(db, filterValues, body.filters_values_ids ?? []),
  ] as const;

const unknownErrors = ([missedBanners = [], missedValues = []]: readonly {
  place: number;
}[][]) => ({
  ...unknownIds('banners_ids', 'banner', missedBanners),
  ...unknownIds('filters_values_ids', 'filter value', missedValues),
});

/** Adds a category at its place in the tree, under a slug of its own. Two round trips. */
export const createCategory = (db: StoreDb, body: NewCategory) =>
  untilFresh(async (tried) => {
    const { slug, banners_ids, filters_values_ids, ...values } = body;
    const base = slug ?? slugBase(values.name, 'category');
    const [highest, above, ...missed] = await db.batch([
      slugsLike(db, categories, base),
      lineage(db, categories, values.parent_id),
      ...unknownOf(db, body),
    ]);
    refuseIf(parentErrors('category', values.parent_id, above), unknownErrors(missed));
    const made = freeSlugOf(base, highest[0]?.slug, tried);
    const newest = newestOf(db, categories);
    const results = await renamed(slug === undefined, () =>
      db.batch([
        db.insertion(categories, { ...values, slug: slug ?? made }),
        linking(db, bannersOfCategory, newest, banners_ids),
        linking(db, filterValuesOfCategory, newest, filters_values_ids),
        db.must(standsInTree(db, categories, newest)),
        db.select(categories, {
          where: eq(categories.id, newest),
          extras: readWithCategory([]),
        }),
      ]),
    );
    return lastOf(results).map((row) => shownCategory(db, row))[0];
  });

/** Changes a category. One round trip, two with a change. */
export const updateCategory = (db: StoreDb, id: number, body: CategoryChanges) =>
  untilFresh(async () => {
    const { banners_ids, filters_values_ids, ...changes } = body;
    const [found, above, levels, ...missed] = await db.batch([
      db.selectOne(categories, id, readWithCategory([])),
      lineage(db, categories, changes.parent_id),
      height(db, categories, id),
      ...unknownOf(db, body),
    ]);
    const before = found[0];
    if (!before) return undefined;
    refuseIf(
      parentErrors('category', changes.parent_id, above, { id, levels: levels[0]?.levels ?? 1 }),
      unknownErrors(missed),
    );
    const relinked = [
      ...relinkingIfOther(db, bannersOfCategory, id, before.banners_ids, banners_ids),
      ...relinkingIfOther(
        db,
        filterValuesOfCategory,
        id,
        before.filters_values_ids,
        filters_values_ids,
      ),
    ];
    if (relinked.length === 0 && !differ(before, changes)) return shownCategory(db, before);
    const results = await db.batch([
      db.change(categories, eq(categories.id, id), changes),
      ...(relinked.length > 0 ? [...relinked, touch(db, categories, eq(categories.id, id))] : []),
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
