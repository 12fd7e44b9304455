import { asc, eq, inArray, sql, type SQL } from 'drizzle-orm';
import { skuExtras } from '../../api/skus/schema.ts';
import type { StatementResult } from '../../data/core/statement.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { assertProductsUnchanged } from '../../data/queries/orders.ts';
import { toMany, toOne } from '../../data/queries/relations.ts';
import { products, skus, stocks } from '../../data/schema/store/catalog-tables.ts';
import { orderItems } from '../../data/schema/store/orders-tables.ts';

const stockedSkuExtras = {
  ...skuExtras,
  product: toOne(products, eq(products.id, skus.product_id)),
  stocks: toMany(stocks, eq(stocks.sku_id, skus.id)),
};

const stockedSkuQuery = (db: StoreDb, where: SQL) =>
  db.select(skus, { where, extras: stockedSkuExtras }).orderBy(asc(skus.id));

/** A SKU with its product and all its stocks. */
export type StockedSku = StatementResult<ReturnType<typeof stockedSkuQuery>>[number];

/** Statement that reads SKUs by their ids. */
export const stockedSkusQuery = (db: StoreDb, ids: readonly number[]) =>
  stockedSkuQuery(db, inArray(skus.id, sql`(select value from json_each(${JSON.stringify(ids)}))`));

/** Statement that reads the current SKUs of an order; `order` is an SQL expression of its id. */
export const stockedSkusOfOrderQuery = (db: StoreDb, order: SQL) =>
  stockedSkuQuery(
    db,
    sql`${skus.id} in (select ${orderItems.sku_id} from ${orderItems} where ${orderItems.order_id} = ${order}
      and ${orderItems.store_id} = ${db.store.id})`,
  );

/** Fails the batch with a `ConflictError` if the product of one of these SKUs changed after it was read. */
export const assertSkusUnchanged = (db: StoreDb, loaded: readonly StockedSku[]) =>
  assertProductsUnchanged(
    db,
    loaded.flatMap(({ product }) =>
      product.data ? [{ id: product.data.id, revision: product.data.revision }] : [],
    ),
  );
