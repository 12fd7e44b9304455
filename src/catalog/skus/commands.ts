import { eq, sql } from 'drizzle-orm';
import { ValidationError } from '../../base/errors.ts';
import { reserveIds } from '../../data/core/reserved-ids.ts';
import { takeTurns } from '../../data/core/retry-contention.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { countDetachedStatement, readDetached } from '../../data/queries/detached.ts';
import { hasRevision, hasChanges, incrementRevision } from '../../data/queries/revision.ts';
import { products, skus } from '../../data/schema/store/catalog-tables.ts';
import { publish } from '../../webhooks/events/publish.ts';
import { removeFromBundlesStatements } from '../bundles/leave-bundles.ts';
import { toProductEvent } from '../products/events.ts';
import { productRelations } from '../products/schema.ts';
import { insertSkuStatements, selectSkusByName, toStoredSku } from './new-skus.ts';
import { maxSkusPerProduct, type NewSku, type SkuChanges } from './requests.ts';

/** Creates a SKU of a product with its stock, and publishes `product.updated`. Two round trips. */
export const createSku = (db: StoreDb, productId: number, sku: NewSku) =>
  takeTurns(db, [products, productId], async () => {
    const [found, taken, ids] = await db.batch([
      db.selectOne(products, productId, productRelations),
      selectSkusByName(db, [sku]),
      reserveIds(db, 1),
    ]);
    const product = found[0];
    if (!product) return undefined;
    if (taken.length > 0) throw new ValidationError({ sku: ['Already taken.'] });
    if (product.skus.data.length >= maxSkusPerProduct) {
      throw new ValidationError({ sku: [`A product has at most ${maxSkusPerProduct} SKUs.`] });
    }
    const reserved = { id: ids[0]?.last ?? 0, sku };
    const stored = toStoredSku(db, productId, reserved);
    await publish(
      db,
      [...reviseStatements(db, product), ...insertSkuStatements(db, productId, reserved)],
      [toUpdatedEvent(db, product, [...product.skus.data, stored])],
    );
    return stored;
  });

/**
 * Updates a SKU, and publishes `product.updated` if anything changes. One round trip, two if
 * anything changes.
 */
export const updateSku = (db: StoreDb, id: number, changes: SkuChanges) =>
  takeTurns(db, [skus, id], async (_attempt, contest) => {
    const product = await findProductOfSku(db, id);
    const before = product?.skus.data.find((sku) => sku.id === id);
    if (!product || !before) return undefined;
    contest(products, product.id);
    if (!hasChanges(before, changes)) return before;
    const after = { ...before, ...changes, updated_at: db.now };
    const productSkus = product.skus.data.map((sku) => (sku.id === id ? after : sku));
    await publish(
      db,
      [...reviseStatements(db, product), db.updateStatement(skus, eq(skus.id, id), changes)],
      [toUpdatedEvent(db, product, productSkus)],
    );
    return after;
  });

/** Deletes a SKU with its stock, and publishes `product.updated`. Two round trips. */
export const deleteSku = (db: StoreDb, id: number) =>
  takeTurns(db, [skus, id], async (_attempt, contest) => {
    const product = await findProductOfSku(db, id);
    if (!product) return undefined;
    contest(products, product.id);
    const [counted] = await publish(
      db,
      [
        countDetachedStatement(db, skus, id),
        ...reviseStatements(db, product),
        ...removeFromBundlesStatements(db, sql`(${id})`),
        db.deleteStatement(skus, eq(skus.id, id)),
      ],
      [
        toUpdatedEvent(
          db,
          product,
          product.skus.data.filter((sku) => sku.id !== id),
        ),
      ],
    );
    return readDetached(counted);
  });

async function findProductOfSku(db: StoreDb, id: number) {
  const productId = sql`(select ${skus.product_id} from ${skus} where ${skus.id} = ${id} and ${skus.store_id} = ${db.store.id})`;
  const [found] = await db.batch([
    db.select(products, { where: eq(products.id, productId), extras: productRelations }),
  ]);
  return found[0];
}

type ProductWithRelations = NonNullable<Awaited<ReturnType<typeof findProductOfSku>>>;

const reviseStatements = (db: StoreDb, product: ProductWithRelations) => [
  db.updateStatement(products, hasRevision(products, product), {}, incrementRevision(products)),
  db.assertChanged(),
];

const toUpdatedEvent = (
  db: StoreDb,
  product: ProductWithRelations,
  productSkus: ProductWithRelations['skus']['data'],
) =>
  toProductEvent(
    db,
    'product.updated',
    { ...product, updated_at: db.now, skus: { data: productSkus } },
    product,
  );
