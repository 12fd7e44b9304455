import { eq } from 'drizzle-orm';
import type { Statement, StatementResult } from '../../data/core/statement.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { Row } from '../../data/core/store-table.ts';
import { categoriesOfProduct } from '../../data/queries/catalog-links.ts';
import { linkedIds, replaceLinksStatements } from '../../data/queries/links.ts';
import { hasChanges, hasRevision, incrementRevision } from '../../data/queries/revision.ts';
import { type brands, products } from '../../data/schema/store/catalog-tables.ts';
import type { CategoryRecord } from '../categories/schema.ts';
import { toProductEvent } from './events.ts';
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

/** Records that a change of a product needs besides its body; all of them were checked. */
interface UpdateFacts {
  /** The brand that was sent. */
  brand: Row<typeof brands> | undefined;
  /** The categories that were sent. */
  categories: readonly CategoryRecord[];
  /** The last of the ids that were reserved for new images. */
  lastImageId: number | undefined;
  /** The SKUs afterwards, and the statements that change them; `undefined` if they stay. */
  skus?: { after: ChangedProduct['skus']['data']; statements: readonly Statement[] } | undefined;
}

/**
 * Plans a change of a product; `undefined` if it changes nothing. The first statement returns the row of the product,
 * the second aborts the batch after a concurrent change.
 */
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
  if (!newCategories && !hasNewImages && !skus && !hasChanges(before, changes)) return undefined;
  const after = {
    ...before,
    ...changes,
    updated_at: db.now,
    ...(changes.brand_id !== undefined && { brand: { data: brand ?? null } }),
    ...(newCategories && { categories: { data: [...categories] } }),
    ...(hasNewImages && { images: { data: images } }),
    ...(skus && { skus: { data: skus.after } }),
  };
  // An update with equal values is skipped, but a changed relation must raise the revision too.
  const columns = hasChanges(before, changes) ? changes : {};
  const isRead = hasRevision(products, before);
  const statements = [
    db.updateStatement(products, isRead, columns, incrementRevision(products)),
    db.assertChanged(),
    ...(newCategories
      ? replaceLinksStatements(db, categoriesOfProduct, before.id, newCategories)
      : []),
    ...(hasNewImages ? replaceImagesStatements(db, before.id, images) : []),
    ...(skus?.statements ?? []),
  ] as const;
  return { statements, event: toProductEvent(db, 'product.updated', after) };
}
