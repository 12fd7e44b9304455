import { eq, sql, asc } from 'drizzle-orm';
import { reserveIds } from '../../data/core/reserved-ids.ts';
import { retryOnConflict, takeTurns } from '../../data/core/retry-contention.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { countDetachedStatement, readDetached } from '../../data/queries/detached.ts';
import { idsSubquery } from '../../data/queries/links.ts';
import { findMissing, throwIfInvalid, unknownIdErrors } from '../../data/queries/references.ts';
import { hasRevision } from '../../data/queries/revision.ts';
import { brands, products, skus } from '../../data/schema/store/catalog-tables.ts';
import { categories } from '../../data/schema/store/categories-tables.ts';
import { publish } from '../../webhooks/events/publish.ts';
import { removeFromBundlesStatements } from '../bundles/leave-bundles.ts';
import { categoryExtras } from '../categories/schema.ts';
import { findTakenSkus, selectSkusByName } from '../skus/new-skus.ts';
import { nextFreeSlug, retrySlug, slugBase, selectHighestSlug } from '../slug-queries.ts';
import { toProductEvent } from './events.ts';
import { reserveImageIds } from './images.ts';
import { countNewIds, creationStatements, newProductId, planCreation } from './plan-creation.ts';
import { planUpdate, selectChangedProduct, updateStatements } from './plan-update.ts';
import type { NewProduct, ProductChanges } from './requests.ts';
import { serializeProduct, productRelations } from './schema.ts';

/**
 * Reads at most 100 categories by id, in the order and form of the relation `categories` of a
 * product.
 */
const selectCategoriesByIds = (db: StoreDb, ids: readonly number[]) =>
  db
    .select(categories, {
      ids: idsSubquery(ids),
      extras: categoryExtras(categories),
    })
    .orderBy(asc(categories.id))
    .limit(100);

/** Creates a product with its SKUs and their stock, and publishes its event. Two round trips. */
export const createProduct = (db: StoreDb, body: NewProduct) =>
  retryOnConflict(async (attempt) => {
    const { skus: newSkus, slug, categories_ids } = body;
    const base = slug ?? slugBase(body.name, 'product');
    const [brandRows, categoryRows, missingCategories, takenSkus, highest, reserved] =
      await db.batch([
        db.select(brands, { where: eq(brands.id, body.brand_id) }),
        selectCategoriesByIds(db, categories_ids),
        findMissing(db, categories, categories_ids),
        selectSkusByName(db, newSkus),
        selectHighestSlug(db, products, base),
        reserveIds(db, countNewIds(body)),
      ]);
    const brand = brandRows[0];
    const errors = {
      ...(!brand && { brand_id: ['No such brand in this store.'] }),
      ...unknownIdErrors('categories_ids', 'category', missingCategories),
      ...findTakenSkus(newSkus, takenSkus, 'skus.'),
    };
    throwIfInvalid(errors);
    const lastId = reserved[0]?.last ?? 0;
    // When many requests want the same slug at once, the id of this product makes it unique.
    const suffix = newProductId(body, lastId);
    const plan = planCreation(db, body, {
      slug: slug ?? nextFreeSlug(base, highest[0]?.slug, attempt, suffix),
      brand,
      categories: categoryRows,
      lastId,
    });
    const [rows] = await retrySlug(slug === undefined, () =>
      publish(db, creationStatements(db, plan), [
        toProductEvent(db, 'product.created', plan.product),
      ]),
    );
    return rows.map((row) => serializeProduct(db.store, row))[0];
  });

/**
 * Updates a product, and publishes an event if anything changes. One round trip, two if anything
 * changes.
 */
export const updateProduct = (db: StoreDb, id: number, body: ProductChanges) =>
  takeTurns(db, [products, id], async () => {
    const { categories_ids: sentCategories = [], images: sentImages = [], brand_id } = body;
    const [found, brandRows, categoryRows, missingCategories, imageIds] = await db.batch([
      selectChangedProduct(db, id),
      db.select(brands, { where: eq(brands.id, brand_id ?? 0) }),
      selectCategoriesByIds(db, sentCategories),
      findMissing(db, categories, sentCategories),
      reserveImageIds(db, id, sentImages),
    ]);
    const before = found[0];
    if (!before) return undefined;
    throwIfInvalid(
      brand_id && !brandRows[0] ? { brand_id: ['No such brand in this store.'] } : {},
      unknownIdErrors('categories_ids', 'category', missingCategories),
    );
    const plan = planUpdate(db, before, body, {
      brand: brandRows[0],
      categories: categoryRows,
      lastImageId: imageIds[0]?.last,
    });
    if (!plan) {
      const {
        skus: _s,
        brand: _b,
        categories: _c,
        images: _i,
        categories_ids: _ids,
        ...row
      } = before;
      return serializeProduct(db.store, row);
    }
    const [rows] = await publish(db, updateStatements(db, plan), [
      toProductEvent(db, 'product.updated', plan.product, before),
    ]);
    return rows.map((row) => serializeProduct(db.store, row))[0];
  });

/** Deletes a product with its SKUs and stock. The event has its last state. Two round trips. */
export const deleteProduct = (db: StoreDb, id: number) =>
  takeTurns(db, [products, id], async () => {
    const before = await db.find(products, id, productRelations);
    if (!before) return undefined;
    const [counted] = await publish(
      db,
      [
        countDetachedStatement(db, products, id),
        ...removeFromBundlesStatements(db, skuIdsOf(id)),
        db.deleteStatement(products, hasRevision(products, before)),
        db.assertChanged(),
      ],
      [toProductEvent(db, 'product.deleted', before)],
    );
    return readDetached(counted);
  });

const skuIdsOf = (id: number) =>
  sql`(select ${skus.id} from ${skus} where ${skus.product_id} = ${id})`;
