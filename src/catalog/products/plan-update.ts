import { eq } from 'drizzle-orm';
import type { StatementResult } from '../../data/core/statement.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { Row } from '../../data/core/store-table.ts';
import { linkedIds, replaceLinksStatements } from '../../data/queries/links.ts';
import {
  changedValues,
  hasChanges,
  hasRevision,
  incrementRevision,
} from '../../data/queries/revision.ts';
import { type brands, products } from '../../data/schema/store/catalog-tables.ts';
import { categoriesOfProduct } from '../catalog-links.ts';
import type { CategoryRecord } from '../categories/schema.ts';
import type { ReservedSku } from '../skus/new-skus.ts';
import type { SkuChanges } from '../skus/requests.ts';
import { haveImagesChanged, mergeImages, replaceImagesStatements } from './images.ts';
import type { ProductChanges } from './requests.ts';
import { productRelations } from './schema.ts';

/** Relations of a product that a change is compared with. */
export const changedProductExtras = {
  ...productRelations,
  categories_ids: linkedIds(categoriesOfProduct, products),
};

/** Selects the product with this id, to compare a change with. */
export const selectChangedProduct = (db: StoreDb, id: number) =>
  db.select(products, { where: eq(products.id, id), extras: changedProductExtras });

/** A product with its relations and the ids of its categories. */
export type ChangedProduct = StatementResult<ReturnType<typeof selectChangedProduct>>[number];

/**
 * Changes of the SKUs of a product: all of them afterwards, the new ones, and the columns of others
 * that differ.
 */
export interface PlannedSkus {
  after: ChangedProduct['skus']['data'];
  added: ReservedSku[];
  changed: { id: number; changes: SkuChanges }[];
}

/** Records that a change of a product needs besides its body; all of them were checked. */
interface UpdateFacts {
  /** The brand that was sent. */
  brand: Row<typeof brands> | undefined;
  /** The categories that were sent. */
  categories: readonly CategoryRecord[];
  /** The last of the ids that were reserved for new images. */
  lastImageId: number | undefined;
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
  { brand, categories, lastImageId, skus }: UpdateFacts,
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
 * The statements of one change, which changes no SKUs. The first returns the row of the product,
 * the second aborts the batch after a concurrent change.
 */
export const updateStatements = (
  db: StoreDb,
  { before, columns, newCategories, newImages }: PlannedUpdate,
) =>
  [
    // An update with equal values is skipped, but a changed relation must raise the revision too.
    db.updateStatement(
      products,
      hasRevision(products, before),
      columns,
      incrementRevision(products),
    ),
    db.assertChanged(),
    ...(newCategories
      ? replaceLinksStatements(db, categoriesOfProduct, before.id, newCategories)
      : []),
    ...(newImages ? replaceImagesStatements(db, before.id, newImages) : []),
  ] as const;
