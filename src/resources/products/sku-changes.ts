import { eq, sql } from 'drizzle-orm';
import { untilFresh } from '../../db/fresh.ts';
import { leaveKits } from '../../db/kits.ts';
import { atRevision, differ, nextRevision } from '../../db/revision.ts';
import { reservation } from '../../db/sequences.ts';
import { products, skus } from '../../db/schema/store.ts';
import type { StoreDb } from '../../db/store.ts';
import { publish } from '../../events/publish.ts';
import { InvalidBody } from '../../problem.ts';
import { productEvent } from './events.ts';
import { skuInsertions, skusNamed, storedSku } from './sku-storage.ts';
import { relations } from '../shapes/product-reading.ts';
import { maxSkus, type NewSku, type SkuChanges } from './requests.ts';

/** Adds a SKU with its stock to a product and tells of the product. Two round trips. */
export const addSku = (db: StoreDb, productId: number, sku: NewSku) =>
  untilFresh(async () => {
    const [found, taken, ids] = await db.batch([
      db.selectOne(products, productId, relations),
      skusNamed(db, [sku]),
      reservation(db, 'skus', 1),
    ]);
    const product = found[0];
    if (!product) return undefined;
    if (taken.length > 0) throw new InvalidBody({ sku: ['Already taken.'] });
    if (product.skus.data.length >= maxSkus) {
      throw new InvalidBody({ sku: [`A product has at most ${maxSkus} SKUs.`] });
    }
    const variant = { id: ids[0]?.last ?? 0, sku };
    const stored = storedSku(db, productId, variant);
    await publish(
      db,
      [...revised(db, product), ...skuInsertions(db, productId, variant)],
      [updated(db, product, [...product.skus.data, stored])],
    );
    return stored;
  });

/** Changes a SKU and tells of its product if anything became different. */
export const updateSku = (db: StoreDb, id: number, changes: SkuChanges) =>
  untilFresh(async () => {
    const product = await productOfSku(db, id);
    const before = product?.skus.data.find((sku) => sku.id === id);
    if (!product || !before) return undefined;
    if (!differ(before, changes)) return before;
    const after = { ...before, ...changes, updated_at: db.now };
    const variants = product.skus.data.map((sku) => (sku.id === id ? after : sku));
    await publish(
      db,
      [...revised(db, product), db.change(skus, eq(skus.id, id), changes)],
      [updated(db, product, variants)],
    );
    return after;
  });

/** Removes a SKU with its stock and tells of its product. */
export const deleteSku = (db: StoreDb, id: number) =>
  untilFresh(async () => {
    const product = await productOfSku(db, id);
    if (!product) return undefined;
    await publish(
      db,
      [...revised(db, product), ...leaveKits(db, sql`(${id})`), db.removal(skus, eq(skus.id, id))],
      [
        updated(
          db,
          product,
          product.skus.data.filter((sku) => sku.id !== id),
        ),
      ],
    );
    return {};
  });

async function productOfSku(db: StoreDb, id: number) {
  const owner = sql`(select ${skus.product_id} from ${skus} where ${skus.id} = ${id} and ${skus.store_id} = ${db.store.id})`;
  const [found] = await db.batch([
    db.select(products, { where: eq(products.id, owner), extras: relations }),
  ]);
  return found[0];
}

type Product = NonNullable<Awaited<ReturnType<typeof productOfSku>>>;

const revised = (db: StoreDb, product: Product) => [
  db.change(products, atRevision(product), {}, nextRevision),
  db.mustHaveChanged(),
];

const updated = (db: StoreDb, product: Product, variants: Product['skus']['data']) =>
  productEvent(db, 'product.updated', {
    ...product,
    updated_at: db.now,
    skus: { data: variants },
  });
