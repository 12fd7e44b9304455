import { inArray, sql } from 'drizzle-orm';
import { nameKey } from '../../base/codecs/fields/normalize-text.ts';
import { baseColumns } from '../../data/core/reserved-ids.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { skus, stocks } from '../../data/schema/store/catalog-tables.ts';
import type { NewSku } from './requests.ts';

/** The location at which every SKU has its first stock. */
const mainStockId = 1;

/** A new SKU with the id that was reserved for it. */
export interface ReservedSku {
  id: number;
  sku: NewSku;
}

/** The record of a new SKU, as a later read returns it. */
export function toStoredSku(db: StoreDb, productId: number, { id, sku }: ReservedSku) {
  const { quantity, ...values } = sku;
  return {
    ...values,
    ...baseColumns(db, id),
    product_id: productId,
    total_in_stock: quantity,
  };
}

/** The columns of a new SKU and of its stock, which has the same id. */
export function toSkuRows(productId: number, { id, sku }: ReservedSku) {
  const { quantity, ...values } = sku;
  return {
    sku: { id, values: { ...values, product_id: productId } },
    stock: {
      id,
      values: { sku_id: id, product_id: productId, stock_id: mainStockId, quantity },
    },
  };
}

export function insertSkuStatements(db: StoreDb, productId: number, reserved: ReservedSku) {
  const { sku, stock } = toSkuRows(productId, reserved);
  return [
    db.insertStatement(skus, sku.values, sku.id),
    db.insertStatement(stocks, stock.values, stock.id),
  ];
}

/** Reads the SKUs of the store that have one of these names. */
export function selectSkusByName(db: StoreDb, newSkus: readonly { sku: string }[]) {
  const keys = JSON.stringify(newSkus.map(({ sku }) => nameKey(sku)));
  return db.select(skus, {
    where: inArray(skus.sku_key, sql`(select value from json_each(${keys}))`),
  });
}

/** Returns an error for each name that is taken; `path` is the prefix of the field. */
export function findTakenSkus(
  newSkus: readonly { sku: string }[],
  taken: readonly { sku: string }[],
  path: string,
): Record<string, string[]> {
  const keys = new Set(taken.map((one) => nameKey(one.sku)));
  return Object.fromEntries(
    newSkus.flatMap(({ sku }, index) =>
      keys.has(nameKey(sku)) ? [[`${path}${index}.sku`, ['Already taken.']]] : [],
    ),
  );
}
