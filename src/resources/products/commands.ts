import { eq, sql } from 'drizzle-orm';
import { removeFromBundlesStatements } from '../../db/catalog/bundles.ts';
import { categoriesOfProduct } from '../../db/catalog/links.ts';
import { retryOnConflict, takeTurns } from '../../db/contention/retry.ts';
import { reserveIds, baseColumns } from '../../db/core/reserved-ids.ts';
import type { StoreDb } from '../../db/core/store-db.ts';
import { linkStatement, linkedIds, replaceLinksStatements } from '../../db/query/links.ts';
import { findMissing, throwIfInvalid, unknownIdErrors } from '../../db/query/references.ts';
import { hasRevision, hasChanges, incrementRevision } from '../../db/query/revision.ts';
import { nextFreeSlug, retrySlug, slugBase, selectHighestSlug } from '../../db/query/slugs.ts';
import { brands, products, skus } from '../../db/schema/store/catalog.ts';
import { categories } from '../../db/schema/store/categories.ts';
import { publish } from '../../events/publish.ts';
import { serializeProduct, productRelations } from '../../schemas/catalog/product.ts';
import { toProductEvent } from './events.ts';
import {
  mergeImages,
  replaceImagesStatements,
  haveImagesChanged,
  reserveImageIds,
} from './images.ts';
import { selectCategoriesByIds } from './queries.ts';
import type { NewProduct, ProductChanges } from './requests.ts';
import {
  insertSkuStatements,
  selectSkusByName,
  toStoredSku,
  findTakenSkus,
} from './skus/new-skus.ts';

/** Columns that no request sets. */
const serverColumns = { seller_id: null, affiliation_id: null, rating: 0, relevance: null };

/** Creates a product with its SKUs and their stock, and publishes its event. Two round trips. */
export const createProduct = (db: StoreDb, body: NewProduct) =>
  retryOnConflict(async (attempt) => {
    const { skus: newSkus, slug, categories_ids, images: sentImages, ...values } = body;
    const base = slug ?? slugBase(values.name, 'product');
    const [brandRows, categoryRows, missingCategories, takenSkus, highest, reserved] =
      await db.batch([
        db.select(brands, { where: eq(brands.id, values.brand_id) }),
        selectCategoriesByIds(db, categories_ids),
        findMissing(db, categories, categories_ids),
        selectSkusByName(db, newSkus),
        selectHighestSlug(db, products, base),
        reserveIds(db, 1 + newSkus.length + sentImages.length),
      ]);
    const brand = brandRows[0];
    const errors = {
      ...(!brand && { brand_id: ['No such brand in this store.'] }),
      ...unknownIdErrors('categories_ids', 'category', missingCategories),
      ...findTakenSkus(newSkus, takenSkus, 'skus.'),
    };
    throwIfInvalid(errors);
    const lastImageId = reserved[0]?.last ?? 0;
    const lastSkuId = lastImageId - sentImages.length;
    const id = lastSkuId - newSkus.length;
    // When many requests want the same slug at once, the id of this product makes it unique.
    const freeSlug = nextFreeSlug(base, highest[0]?.slug, attempt, id);
    const columns = { ...values, slug: slug ?? freeSlug, ...serverColumns };
    const storedRow = {
      ...columns,
      ...baseColumns(db, id),
      name_folded: '',
      sku_folded: null,
      revision: 1,
    };
    const reservedSkus = newSkus.map((sku, index) => ({
      id: lastSkuId - newSkus.length + 1 + index,
      sku,
    }));
    const images = mergeImages(sentImages, [], lastImageId);
    const event = toProductEvent(db, 'product.created', {
      ...storedRow,
      brand: { data: brand ?? null },
      categories: { data: categoryRows },
      skus: { data: reservedSkus.map((sku) => toStoredSku(db, id, sku)) },
      images: { data: images },
    });
    const [rows] = await retrySlug(slug === undefined, () =>
      publish(
        db,
        [
          db.insertStatement(products, columns, id),
          ...reservedSkus.flatMap((sku) => insertSkuStatements(db, id, sku)),
          linkStatement(db, categoriesOfProduct, id, categories_ids),
          ...(images.length > 0 ? replaceImagesStatements(db, id, images) : []),
        ],
        [event],
      ),
    );
    return rows.map((row) => serializeProduct(db.store, row))[0];
  });

/** Updates a product, and publishes an event if anything changes. One round trip, two if anything changes. */
export const updateProduct = (db: StoreDb, id: number, body: ProductChanges) =>
  takeTurns(db, [products, id], async () => {
    const { categories_ids: sentCategories, images: sentImages = [], ...changes } = body;
    const [found, brandRows, links, categoryRows, missingCategories, imageIds] = await db.batch([
      db.selectOne(products, id, productRelations),
      db.select(brands, { where: eq(brands.id, changes.brand_id ?? 0) }),
      db.selectOne(products, id, { ids: linkedIds(categoriesOfProduct, products) }),
      selectCategoriesByIds(db, sentCategories ?? []),
      findMissing(db, categories, sentCategories ?? []),
      reserveImageIds(db, id, sentImages),
    ]);
    const before = found[0];
    if (!before) return undefined;
    throwIfInvalid(
      changes.brand_id && !brandRows[0] ? { brand_id: ['No such brand in this store.'] } : {},
      unknownIdErrors('categories_ids', 'category', missingCategories),
    );
    const after = { ...before, ...changes };
    if (changes.brand_id !== undefined) after.brand = { data: brandRows[0] ?? null };
    const ids = sentCategories?.toSorted((a, b) => a - b);
    const newCategories = ids && hasChanges({ ids: links[0]?.ids }, { ids }) ? ids : undefined;
    if (newCategories) after.categories = { data: categoryRows };
    const images = mergeImages(sentImages, before.images.data, imageIds[0]?.last);
    const hasNewImages = body.images && haveImagesChanged(before.images.data, images);
    if (!newCategories && !hasNewImages && !hasChanges(before, changes)) {
      const { skus: _s, brand: _b, categories: _c, images: _i, ...row } = before;
      return serializeProduct(db.store, row);
    }
    after.updated_at = db.now;
    // An update with equal values is skipped, but new categories or images must raise the revision.
    const columns = hasChanges(before, changes) ? changes : {};
    const [rows] = await publish(
      db,
      [
        db.updateStatement(
          products,
          hasRevision(products, before),
          columns,
          incrementRevision(products),
        ),
        db.assertChanged(),
        ...(newCategories
          ? replaceLinksStatements(db, categoriesOfProduct, id, newCategories)
          : []),
        ...(hasNewImages ? replaceImagesStatements(db, id, images) : []),
      ],
      [
        toProductEvent(db, 'product.updated', {
          ...after,
          ...(hasNewImages && { images: { data: images } }),
        }),
      ],
    );
    return rows.map((row) => serializeProduct(db.store, row))[0];
  });

/** Deletes a product with its SKUs and stock. The event has its last state. Two round trips. */
export const deleteProduct = (db: StoreDb, id: number) =>
  takeTurns(db, [products, id], async () => {
    const before = await db.find(products, id, productRelations);
    if (!before) return undefined;
    await publish(
      db,
      [
        ...removeFromBundlesStatements(db, skuIdsOf(id)),
        db.deleteStatement(products, hasRevision(products, before)),
        db.assertChanged(),
      ],
      [toProductEvent(db, 'product.deleted', before)],
    );
    return {};
  });

const skuIdsOf = (id: number) =>
  sql`(select ${skus.id} from ${skus} where ${skus.product_id} = ${id})`;
