import { asc, sql } from 'drizzle-orm';
import { nameKey } from '../../base/codecs/fields/normalize-text.ts';
import type { FieldErrors } from '../../base/errors.ts';
import { reserveIds } from '../../data/core/reserved-ids.ts';
import { retryOnConflict, takeTurns } from '../../data/core/retry-contention.ts';
import type { Statement } from '../../data/core/statement.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { countDetachedStatement, readDetached } from '../../data/queries/detached.ts';
import { findMissing, throwIfInvalid, unknownIdErrors } from '../../data/queries/references.ts';
import { hasRevision } from '../../data/queries/revision.ts';
import { brands, products, skus } from '../../data/schema/store/catalog-tables.ts';
import { categories } from '../../data/schema/store/categories-tables.ts';
import { publish } from '../../webhooks/events/publish.ts';
import { removeFromBundlesStatements } from '../bundles/leave-bundles.ts';
import { selectCategoriesByIds } from '../categories/schema.ts';
import { selectSkusByName } from '../skus/plan-skus.ts';
import { nextFreeSlug, retrySlug, slugBase, selectHighestSlug } from '../slug-queries.ts';
import { toProductEvent } from './events.ts';
import { reserveImageIds } from './images.ts';
import type { NewProduct, ProductChanges } from './requests.ts';
import { productRelations, serializeAlone } from './schema.ts';
import {
  countNewIds,
  newProductId,
  planCreation,
  planUpdate,
  productStatements,
  selectChangedProduct,
  type PlannedUpdate,
} from './write-products.ts';

/** Reads categories as the relation of a product has them: at most 100, by id. */
const selectCategoriesOf = (db: StoreDb, ids: readonly number[]) =>
  selectCategoriesByIds(db, ids).orderBy(asc(categories.id)).limit(100);

/** Creates a product with its SKUs and their stock, and publishes its event. Two round trips. */
export const createProduct = (db: StoreDb, body: NewProduct) =>
  retryOnConflict(async (attempt) => {
    const { skus: newSkus, slug, categories_ids } = body;
    const base = slug ?? slugBase(body.name, 'product');
    const [brandRows, categoryRows, missingCategories, takenSkus, highest, reserved] =
      await db.batch([
        db.selectOne(brands, body.brand_id),
        selectCategoriesOf(db, categories_ids),
        findMissing(db, categories, categories_ids),
        selectSkusByName(db, newSkus),
        selectHighestSlug(db, products, base),
        reserveIds(db, countNewIds(body)),
      ]);
    const brand = brandRows[0];
    throwIfInvalid(
      brand ? {} : { brand_id: ['No such brand in this store.'] },
      unknownIdErrors('categories_ids', 'category', missingCategories),
      takenErrors(newSkus, takenSkus),
    );
    const lastId = reserved[0]?.last ?? 0;
    // When many requests want the same slug at once, the id of this product makes it unique.
    const suffix = newProductId(body, lastId);
    const plan = planCreation(db, body, {
      slug: slug ?? nextFreeSlug(base, highest[0]?.slug, attempt, suffix),
      brand,
      categories: categoryRows,
      lastId,
    });
    await retrySlug(slug === undefined, () =>
      publish(db, productStatements(db, { created: [plan] }), [
        toProductEvent(db, 'product.created', plan.product),
      ]),
    );
    return serializeAlone(db, plan.product);
  });

/** An error for each SKU whose name is taken. */
function takenErrors(newSkus: NewProduct['skus'], taken: readonly { sku: string }[]): FieldErrors {
  const keys = new Set(taken.map(({ sku }) => nameKey(sku)));
  return Object.fromEntries(
    newSkus.flatMap(({ sku }, index) =>
      keys.has(nameKey(sku)) ? [[`skus.${index}.sku`, ['Already taken.']]] : [],
    ),
  );
}

/**
 * Updates a product, and publishes an event if anything changes. One round trip, two if anything
 * changes.
 */
export const updateProduct = (db: StoreDb, id: number, body: ProductChanges) =>
  takeTurns(db, [products, id], async () => {
    const { categories_ids: sentCategories = [], images: sentImages = [], brand_id } = body;
    const [found, brandRows, categoryRows, missingCategories, imageIds] = await db.batch([
      selectChangedProduct(db, id),
      db.selectOne(brands, brand_id ?? 0),
      selectCategoriesOf(db, sentCategories),
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
    if (plan) await publishUpdate(db, plan);
    return serializeAlone(db, plan?.product ?? before);
  });

/**
 * Writes a change of a product behind the statements `first`, and publishes its event. One round
 * trip.
 */
export const publishUpdate = <const S extends readonly Statement[]>(
  db: StoreDb,
  plan: PlannedUpdate,
  ...first: S
) =>
  publish(
    db,
    [...first, ...productStatements(db, { updated: [plan] })],
    [toProductEvent(db, 'product.updated', plan.product, plan.before)],
  );

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
