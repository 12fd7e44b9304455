import { eq, sql } from 'drizzle-orm';
import { ValidationError } from '../../base/errors.ts';
import { reserveIds } from '../../data/core/reserved-ids.ts';
import { takeTurns } from '../../data/core/retry-contention.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { countDetachedStatement, readDetached } from '../../data/queries/detached.ts';
import { products, skus } from '../../data/schema/store/catalog-tables.ts';
import { removeFromBundlesStatements } from '../bundles/leave-bundles.ts';
import { publishUpdate } from '../products/commands.ts';
import {
  changedProductExtras,
  planUpdate,
  selectChangedProduct,
  type ChangedProduct,
} from '../products/write-products.ts';
import { planSkuChanges, selectSkusByName, type SentSku } from './plan-skus.ts';
import { maxSkusPerProduct, type NewSku, type SkuChanges } from './requests.ts';

/** Creates a SKU of a product with its stock, and publishes `product.updated`. Two round trips. */
export const createSku = (db: StoreDb, productId: number, sku: NewSku) =>
  takeTurns(db, [products, productId], async () => {
    const [found, taken, ids] = await db.batch([
      selectChangedProduct(db, productId),
      selectSkusByName(db, [sku]),
      reserveIds(db, 1),
    ]);
    const product = found[0];
    if (!product) return undefined;
    if (taken.length > 0) throw new ValidationError({ sku: ['Already taken.'] });
    if (product.skus.data.length >= maxSkusPerProduct) {
      throw new ValidationError({ sku: [`A product has at most ${maxSkusPerProduct} SKUs.`] });
    }
    const plan = planSku(db, product, { sku }, ids[0]?.last);
    if (plan) await publishUpdate(db, plan);
    return plan?.product.skus.data.at(-1);
  });

/**
 * Updates a SKU, and publishes `product.updated` if anything changes. One round trip, two if
 * anything changes.
 */
export const updateSku = (db: StoreDb, id: number, changes: SkuChanges) =>
  takeTurns(db, [skus, id], async (_attempt, contest) => {
    const product = await findProductOfSku(db, id);
    const stored = product?.skus.data.find((sku) => sku.id === id);
    if (!product || !stored) return undefined;
    contest(products, product.id);
    const plan = planSku(db, product, { stored, changes });
    if (plan) await publishUpdate(db, plan);
    return plan?.product.skus.data.find((sku) => sku.id === id) ?? stored;
  });

/** Deletes a SKU with its stock, and publishes `product.updated`. Two round trips. */
export const deleteSku = (db: StoreDb, id: number) =>
  takeTurns(db, [skus, id], async (_attempt, contest) => {
    const product = await findProductOfSku(db, id);
    const after = product?.skus.data.filter((sku) => sku.id !== id) ?? [];
    const plan =
      product && planUpdate(db, product, {}, { skus: { after, added: [], changed: [] } });
    if (!plan) return undefined;
    contest(products, product.id);
    const [counted] = await publishUpdate(
      db,
      plan,
      countDetachedStatement(db, skus, id),
      ...removeFromBundlesStatements(db, sql`(${id})`),
      db.deleteStatement(skus, eq(skus.id, id)),
    );
    return readDetached(counted);
  });

/** Plans a change of one SKU of a product. */
const planSku = (db: StoreDb, product: ChangedProduct, sent: SentSku, newId?: number) =>
  planUpdate(
    db,
    product,
    {},
    { skus: planSkuChanges(db, product.id, product.skus.data, [sent], newId) },
  );

async function findProductOfSku(db: StoreDb, id: number) {
  const productId = sql`(select ${skus.product_id} from ${skus} where ${skus.id} = ${id} and ${skus.store_id} = ${db.store.id})`;
  const [found] = await db.batch([
    db.select(products, { where: eq(products.id, productId), extras: changedProductExtras }),
  ]);
  return found[0];
}
