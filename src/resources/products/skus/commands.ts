import { eq, sql, and } from 'drizzle-orm';
import { toStockEvent } from '../../../commerce/stock/move.ts';
import { removeFromBundlesStatements } from '../../../db/catalog/bundles.ts';
import { reserveIds } from '../../../db/core/reserved-ids.ts';
import { retryOnConflict } from '../../../db/core/retry.ts';
import type { StoreDb } from '../../../db/core/store-db.ts';
import { toOne } from '../../../db/query/relations.ts';
import { hasRevision, hasChanges, incrementRevision } from '../../../db/query/revision.ts';
import { products, skus, stocks } from '../../../db/schema/store/catalog.ts';
import { ValidationError, conflict } from '../../../errors.ts';
import { publish } from '../../../events/publish.ts';
import { productRelations, skuExtras } from '../../../schemas/catalog/product.ts';
import { toProductEvent } from '../events.ts';
import { insertSkuStatements, selectSkusByName, toStoredSku } from './new-skus.ts';
import {
  maxQuantity,
  maxSkusPerProduct,
  type NewSku,
  type SkuChanges,
  type StockChanges,
} from './requests.ts';

/** Creates a SKU of a product with its stock, and publishes `product.updated`. Two round trips. */
export const createSku = (db: StoreDb, productId: number, sku: NewSku) =>
  retryOnConflict(async () => {
    const [found, taken, ids] = await db.batch([
      db.selectOne(products, productId, productRelations),
      selectSkusByName(db, [sku]),
      reserveIds(db, 'skus', 1),
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

/** Updates a SKU, and publishes `product.updated` if anything changes. One round trip, two if anything changes. */
export const updateSku = (db: StoreDb, id: number, changes: SkuChanges) =>
  retryOnConflict(async () => {
    const product = await findProductOfSku(db, id);
    const before = product?.skus.data.find((sku) => sku.id === id);
    if (!product || !before) return undefined;
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
  retryOnConflict(async () => {
    const product = await findProductOfSku(db, id);
    if (!product) return undefined;
    await publish(
      db,
      [
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
    return {};
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
  toProductEvent(db, 'product.updated', {
    ...product,
    updated_at: db.now,
    skus: { data: productSkus },
  });

/** Updates a stock, and publishes an event if the quantity changes. One round trip, two if anything changes. */
export const updateStock = (
  db: StoreDb,
  { id, stockId }: { id: number; stockId: number },
  body: StockChanges,
) =>
  retryOnConflict(async () => {
    const isStock = and(eq(stocks.sku_id, id), eq(stocks.stock_id, stockId));
    const [found] = await db.batch([
      db.select(stocks, { where: isStock, extras: { sku: skuOfStock } }),
    ]);
    const before = found[0];
    const sku = before?.sku.data;
    if (!before || !sku) return undefined;
    const quantity = body.quantity ?? before.quantity + (body.delta ?? 0);
    if (body.expected_quantity !== undefined && body.expected_quantity !== before.quantity) {
      throw conflict('quantity_changed', {
        expected_quantity: ['Must be the stored quantity.'],
      });
    }
    if (quantity < before.reserved || quantity > maxQuantity) {
      const field = body.delta === undefined ? 'quantity' : 'delta';
      throw new ValidationError({
        [field]: ['Must leave at least the reserved quantity, and at most 1,000,000,000.'],
      });
    }
    const changes = { quantity, min_quantity: body.min_quantity ?? before.min_quantity };
    const hasQuantityChanged = quantity !== before.quantity;
    if (!hasQuantityChanged && changes.min_quantity === before.min_quantity) return before;
    const after = { ...before, ...changes, updated_at: db.now };
    const total_in_stock = sku.total_in_stock + quantity - before.quantity;
    await publish(
      db,
      [
        db.updateStatement(
          stocks,
          and(isStock, eq(stocks.quantity, before.quantity), eq(stocks.reserved, before.reserved)),
          changes,
        ),
        db.assertChanged(),
      ],
      hasQuantityChanged
        ? [toStockEvent(db, { ...after, sku: { data: { ...sku, total_in_stock } } })]
        : [],
    );
    return after;
  });

const skuOfStock = toOne(skus, eq(skus.id, stocks.sku_id), skuExtras);
