import { asc, eq, inArray, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import { many, one } from '../db/relations.ts';
import { orderItems, products, skus, stocks } from '../db/schema/store.ts';
import type { Result } from '../db/statement.ts';
import type { StoreDb } from '../db/store.ts';
import { unchangedProducts } from '../db/unchanged-products.ts';
import { stockTotal } from '../resources/shapes/product-reading.ts';

const extras = {
  ...stockTotal,
  product: one(products, eq(products.id, skus.product_id)),
  stocks: many(stocks, eq(stocks.sku_id, skus.id)),
};

const reading = (db: StoreDb, where: SQL) =>
  db.select(skus, { where, extras }).orderBy(asc(skus.id));

/** A SKU with its product and its stock at every place. */
export type StockedSku = Result<ReturnType<typeof reading>>[number];

/** Reads SKUs by their ids. */
export const skusOf = (db: StoreDb, ids: readonly number[]) =>
  reading(db, inArray(skus.id, sql`(select value from json_each(${JSON.stringify(ids)}))`));

/** Reads those SKUs of an order that are still sold, the order named by a condition on `orders`. */
export const skusOfOrder = (db: StoreDb, order: SQL) =>
  reading(
    db,
    sql`${skus.id} in (select ${orderItems.sku_id} from ${orderItems} where ${orderItems.order_id} = ${order}
      and ${orderItems.store_id} = ${db.store.id})`,
  );

/** Aborts the batch with a `StaleRevision` if one of these SKUs was changed after it was read. */
export const unchangedSkus = (db: StoreDb, read: readonly StockedSku[]) =>
  unchangedProducts(
    db,
    read.flatMap(({ product }) =>
      product.data ? [{ id: product.data.id, revision: product.data.revision }] : [],
    ),
  );
