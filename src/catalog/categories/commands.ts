import { eq, sql } from 'drizzle-orm';
import { retryOnConflict, retryInTurns } from '../../data/core/retry-contention.ts';
import { lastResult } from '../../data/core/statement.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { removeCounted } from '../../data/queries/detached.ts';
import { linkStatement, changedLinksStatements } from '../../data/queries/links.ts';
import {
  type MissingId,
  findMissing,
  throwIfInvalid,
  unknownIdErrors,
} from '../../data/queries/references.ts';
import { hasChanges, touchStatement } from '../../data/queries/revision.ts';
import { banners } from '../../data/schema/store/banners-tables.ts';
import { categories, filterValues } from '../../data/schema/store/categories-tables.ts';
import { bannersOfCategory, filterValuesOfCategory } from '../catalog-links.ts';
import { nextFreeSlug, retrySlug, slugBase, selectHighestSlug } from '../slug-queries.ts';
import { selectHeight, selectLineage, parentErrors, isTreeValid } from '../tree-queries.ts';
import type { CategoryChanges, NewCategory } from './requests.ts';
import { selectCategoryExtras, serializeCategory } from './schema.ts';

type LinkedIds = Pick<CategoryChanges, 'banners_ids' | 'filters_values_ids'>;

/** Reads which ids of a body the store does not have. */
const findUnknownIds = (db: StoreDb, body: LinkedIds) =>
  [
    findMissing(db, banners, body.banners_ids ?? []),
    findMissing(db, filterValues, body.filters_values_ids ?? []),
  ] as const;

const toUnknownErrors = ([missingBanners = [], missingValues = []]: readonly MissingId[][]) => ({
  ...unknownIdErrors('banners_ids', 'banner', missingBanners),
  ...unknownIdErrors('filters_values_ids', 'filter value', missingValues),
});

/** Creates a category. Without a slug, derives one from the name. Two round trips. */
export const createCategory = (db: StoreDb, body: NewCategory) =>
  retryOnConflict(async (attempt) => {
    const { slug, banners_ids, filters_values_ids, ...values } = body;
    const base = slug ?? slugBase(values.name, 'category');
    const [highest, ancestors, ...unknown] = await db.batch([
      selectHighestSlug(db, categories, base),
      selectLineage(db, categories, values.parent_id),
      ...findUnknownIds(db, body),
    ]);
    throwIfInvalid(parentErrors('category', values.parent_id, ancestors), toUnknownErrors(unknown));
    const freeSlug = nextFreeSlug(base, highest[0]?.slug, attempt);
    const newId = db.lastInsertedId(categories);
    const results = await retrySlug(slug === undefined, () =>
      db.batch([
        db.insertStatement(categories, { ...values, slug: slug ?? freeSlug }),
        linkStatement(db, bannersOfCategory, newId, banners_ids),
        linkStatement(db, filterValuesOfCategory, newId, filters_values_ids),
        db.assert(isTreeValid(db, categories, newId)),
        db.select(categories, {
          where: eq(categories.id, newId),
          extras: selectCategoryExtras([]),
        }),
      ]),
    );
    return lastResult(results).map((row) => serializeCategory(db, row))[0];
  });

/** Updates a category. One round trip, two if anything changes. */
export const updateCategory = (db: StoreDb, id: number, body: CategoryChanges) =>
  retryInTurns(db, [categories, id], async () => {
    const { banners_ids, filters_values_ids, ...changes } = body;
    const [found, ancestors, levels, ...unknown] = await db.batch([
      db.selectOne(categories, id, selectCategoryExtras([])),
      selectLineage(db, categories, changes.parent_id),
      selectHeight(db, categories, id),
      ...findUnknownIds(db, body),
    ]);
    const before = found[0];
    if (!before) return undefined;
    throwIfInvalid(
      parentErrors('category', changes.parent_id, ancestors, {
        id,
        levels: levels[0]?.levels ?? 1,
      }),
      toUnknownErrors(unknown),
    );
    const linkStatements = [
      ...changedLinksStatements(db, bannersOfCategory, id, before.banners_ids, banners_ids),
      ...changedLinksStatements(
        db,
        filterValuesOfCategory,
        id,
        before.filters_values_ids,
        filters_values_ids,
      ),
    ];
    if (linkStatements.length === 0 && !hasChanges(before, changes))
      return serializeCategory(db, before);
    const results = await db.batch([
      db.updateStatement(categories, eq(categories.id, id), changes),
      ...(linkStatements.length > 0
        ? [...linkStatements, touchStatement(db, categories, eq(categories.id, id))]
        : []),
      ...(changes.parent_id ? [db.assert(isTreeValid(db, categories, id))] : []),
      db.selectOne(categories, id, selectCategoryExtras([])),
    ]);
    return lastResult(results).map((row) => serializeCategory(db, row))[0];
  });

/** Deletes a category, and moves its children to its parent. One round trip. */
export const deleteCategory = (db: StoreDb, id: number) =>
  removeCounted(db, categories, id, [
    db.updateStatement(categories, eq(categories.parent_id, id), {
      parent_id: sql`(select parent_id from ${categories} where id = ${id} and store_id = ${db.store.id})`,
    }),
  ]);
