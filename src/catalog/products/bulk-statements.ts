import type { Statement } from '../../data/core/statement.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import {
  insertRowsStatements,
  replaceAllLinksStatements,
  reviseRowsStatements,
  updateRowsStatements,
} from '../../data/queries/bulk-rows.ts';
import { products, skus, stocks } from '../../data/schema/store/catalog-tables.ts';
import { categoriesOfProduct } from '../catalog-links.ts';
import { toSkuRows } from '../skus/new-skus.ts';
import { replaceAllImagesStatements } from './images.ts';
import type { PlannedCreation } from './plan-creation.ts';
import type { PlannedUpdate } from './plan-update.ts';

/**
 * The statements of any number of new and changed products, each at most once: a few for all of
 * them. They abort the batch with a `ConflictError` after a concurrent change of one.
 */
export function bulkStatements(
  db: StoreDb,
  created: readonly PlannedCreation[],
  updated: readonly PlannedUpdate[],
): Statement[] {
  const newSkus = [
    ...created.flatMap(({ id, skus: added }) => added.map((sku) => toSkuRows(id, sku))),
    ...updated.flatMap(({ before, skus: changes }) =>
      (changes?.added ?? []).map((sku) => toSkuRows(before.id, sku)),
    ),
  ];
  return [
    ...reviseRowsStatements(
      db,
      products,
      updated.map(({ before: { id, revision }, columns }) => ({ id, revision, changes: columns })),
    ),
    ...updateRowsStatements(
      db,
      skus,
      updated.flatMap(({ skus: changes }) => changes?.changed ?? []),
    ),
    ...insertRowsStatements(
      db,
      products,
      created.map(({ id, columns }) => ({ id, values: columns })),
    ),
    ...insertRowsStatements(
      db,
      skus,
      newSkus.map(({ sku }) => sku),
    ),
    ...insertRowsStatements(
      db,
      stocks,
      newSkus.map(({ stock }) => stock),
    ),
    ...replaceAllLinksStatements(
      db,
      categoriesOfProduct,
      created.flatMap(({ id, categories_ids: ids }) =>
        ids.length > 0 ? [{ owner: id, ids }] : [],
      ),
      { areNew: true },
    ),
    ...replaceAllLinksStatements(
      db,
      categoriesOfProduct,
      updated.flatMap(({ before, newCategories: ids }) => (ids ? [{ owner: before.id, ids }] : [])),
    ),
    ...replaceAllImagesStatements(
      db,
      created.flatMap(({ id, images }) => (images.length > 0 ? [{ id, images }] : [])),
      { areNew: true },
    ),
    ...replaceAllImagesStatements(
      db,
      updated.flatMap(({ before, newImages: images }) =>
        images ? [{ id: before.id, images }] : [],
      ),
    ),
  ];
}
