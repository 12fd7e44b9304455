import { eq } from 'drizzle-orm';
import { categoriesOfProduct } from '../../db/catalog/links.ts';
import type { Statement, StatementResult } from '../../db/core/statement.ts';
import type { StoreDb } from '../../db/core/store-db.ts';
import type { Row } from '../../db/core/table.ts';
import { linkedIds, replaceLinksStatements } from '../../db/query/links.ts';
import { hasChanges, hasRevision, incrementRevision } from '../../db/query/revision.ts';
import { type brands, products } from '../../db/schema/store/catalog.ts';
import type { CategoryRecord } from '../../schemas/catalog/category.ts';
import { productRelations } from '../../schemas/catalog/product.ts';
import { toProductEvent } from './events.ts';
import { haveImagesChanged, mergeImages, replaceImagesStatements } from './images.ts';
import type { ProductChanges } from './requests.ts';

/** What a change of a product is compared with. */
export const changedProductExtras = {
  ...productRelations,
  categories_ids: linkedIds(categoriesOfProduct, products),
};

/** Selects the product with this id, to compare a change with. */
export const selectChangedProduct = (db: StoreDb, id: number) =>
  db.select(products, { where: eq(products.id, id), extras: changedProductExtras });

/** A product with its relations and the ids of its categories. */
export type ChangedProduct = StatementResult<ReturnType<typeof selectChangedProduct>>[number];

/** What a change of a product needs besides its body; all of it was checked. */
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
 * Plans a change of a product; `undefined` if it changes nothing. The first statement returns the row of the product, the
 * second aborts the batch if somebody else changed it.
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
  // An update with equal values is skipped, but what is not a column must raise the revision.
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
