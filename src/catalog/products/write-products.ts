import { baseColumns } from '../../data/core/reserved-ids.ts';
import type { Statement, StatementResult } from '../../data/core/statement.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { Row } from '../../data/core/store-table.ts';
import {
  insertRowsStatements,
  reviseRowsStatements,
  updateRowsStatements,
} from '../../data/queries/bulk-rows.ts';
import { linkedIds, replaceLinksStatements } from '../../data/queries/links.ts';
import { changedValues, hasChanges } from '../../data/queries/revision.ts';
import { type brands, products, skus, stocks } from '../../data/schema/store/catalog-tables.ts';
import { categoriesOfProduct } from '../catalog-links.ts';
import type { CategoryRecord } from '../categories/schema.ts';
import { toSkuRows, toStoredSku, type PlannedSkus } from '../skus/plan-skus.ts';
import { haveImagesChanged, mergeImages, replaceImagesStatements } from './images.ts';
import type { NewProduct, ProductChanges } from './requests.ts';
import { productRelations } from './schema.ts';

// How products are written, whether one by itself or many by an import: a plan for each of them,
// then a few statements for all.

/** Columns that no request sets. */
const serverColumns = { seller_id: null, affiliation_id: null, rating: 0, relevance: null };

/** The number of ids that a new product needs: its own, and those of its SKUs and images. */
export const countNewIds = ({ skus, images }: Pick<NewProduct, 'skus' | 'images'>) =>
  1 + skus.length + images.length;

/** Records that a new product needs besides its body; all of them were checked. */
interface CreationFacts {
  slug: string;
  brand: Row<typeof brands> | undefined;
  categories: readonly CategoryRecord[];
  /** The last of the ids that were reserved for it ({@link countNewIds}). */
  lastId: number;
}

/** The first of the ids that are reserved for a new product, which becomes its own. */
export const newProductId = (body: Pick<NewProduct, 'skus' | 'images'>, lastId: number) =>
  lastId - countNewIds(body) + 1;

/** A new product: what it writes, and the record as its event has it. */
export type PlannedCreation = ReturnType<typeof planCreation>;

/** Plans a new product with its SKUs and their stock. */
export function planCreation(db: StoreDb, body: NewProduct, facts: CreationFacts) {
  const { skus: newSkus, slug: _, categories_ids, images: sentImages, ...values } = body;
  const id = newProductId(body, facts.lastId);
  const columns = { ...values, slug: facts.slug, ...serverColumns };
  const skus = newSkus.map((sku, index) => ({ id: id + 1 + index, sku }));
  const images = mergeImages(sentImages, [], facts.lastId);
  const product = {
    ...columns,
    ...baseColumns(db, id),
    name_folded: '',
    sku_folded: null,
    revision: 1,
    brand: { data: facts.brand ?? null },
    categories: { data: [...facts.categories] },
    skus: { data: skus.map((sku) => toStoredSku(db, id, sku)) },
    images: { data: images },
  };
  return { id, columns, skus, categories_ids, images, product };
}

/** Relations of a product that a change is compared with. */
export const changedProductExtras = {
  ...productRelations,
  categories_ids: linkedIds(categoriesOfProduct, products),
};

/** Selects the product with this id, to compare a change with. */
export const selectChangedProduct = (db: StoreDb, id: number) =>
  db.selectOne(products, id, changedProductExtras);

/** A product with its relations and the ids of its categories. */
export type ChangedProduct = StatementResult<ReturnType<typeof selectChangedProduct>>[number];

/** Records that a change of a product needs besides its body; all of them were checked. */
interface UpdateFacts {
  /** The brand that was sent. */
  brand?: Row<typeof brands> | undefined;
  /** The categories that were sent. */
  categories?: readonly CategoryRecord[];
  /** The last of the ids that were reserved for new images. */
  lastImageId?: number | undefined;
  /** The changes of the SKUs; `undefined` if they stay. */
  skus?: PlannedSkus | undefined;
}

/** A change of a product: what it writes, and the record as its event has it. */
export type PlannedUpdate = NonNullable<ReturnType<typeof planUpdate>>;

/** Plans a change of a product; `undefined` if it changes nothing. */
export function planUpdate(
  db: StoreDb,
  before: ChangedProduct,
  body: ProductChanges,
  { brand, categories = [], lastImageId, skus }: UpdateFacts,
) {
  const { categories_ids: sentCategories, images: sentImages = [], ...changes } = body;
  const ids = sentCategories?.toSorted((a, b) => a - b);
  const newCategories =
    ids && hasChanges({ ids: before.categories_ids }, { ids }) ? ids : undefined;
  const images = mergeImages(sentImages, before.images.data, lastImageId);
  const hasNewImages = body.images && haveImagesChanged(before.images.data, images);
  const columns = changedValues(before, changes);
  const isSame = Object.keys(columns).length === 0;
  if (!newCategories && !hasNewImages && !skus && isSame) return undefined;
  const product = {
    ...before,
    ...changes,
    updated_at: db.now,
    ...(changes.brand_id !== undefined && { brand: { data: brand ?? null } }),
    ...(newCategories && { categories: { data: [...categories] } }),
    ...(hasNewImages && { images: { data: images } }),
    ...(skus && { skus: { data: skus.after } }),
  };
  return {
    before,
    columns,
    newCategories,
    newImages: hasNewImages ? images : undefined,
    skus,
    product,
  };
}

/**
 * The statements of any number of new and changed products, each at most once: a few for all of
 * them. They abort the batch with a `ConflictError` after a concurrent change of one.
 */
export function productStatements(
  db: StoreDb,
  { created = [], updated = [] }: { created?: PlannedCreation[]; updated?: PlannedUpdate[] },
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
    ...replaceLinksStatements(
      db,
      categoriesOfProduct,
      updated.flatMap(({ before, newCategories: ids }) => (ids ? [{ owner: before.id, ids }] : [])),
      created.map(({ id, categories_ids: ids }) => ({ owner: id, ids })),
    ),
    ...replaceImagesStatements(
      db,
      updated.flatMap(({ before, newImages: images }) =>
        images ? [{ id: before.id, images }] : [],
      ),
      created,
    ),
  ];
}
