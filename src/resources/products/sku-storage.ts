import { inArray, sql } from 'drizzle-orm';
import { skus, stocks } from '../../db/schema/store.ts';
import { stamps } from '../../db/stamps.ts';
import type { StoreDb } from '../../db/store.ts';
import { nameKey } from '../../wire/fold.ts';
import type { NewSku } from './requests.ts';

/** The place that every SKU has stock at from the start. */
const mainStock = 1;

/** A SKU that is about to be stored, under an id that was reserved for it. */
export interface Variant {
  id: number;
  sku: NewSku;
}

/** A new SKU as it will be read once it is stored. */
export function storedSku(db: StoreDb, productId: number, { id, sku }: Variant) {
  const { quantity, ...values } = sku;
  const keys = { sku_key: '', sku_folded: '' };
  return { ...values, ...keys, ...stamps(db, id), product_id: productId, total_in_stock: quantity };
}

/** The statements that add a SKU and its stock. */
export function skuInsertions(db: StoreDb, productId: number, { id, sku }: Variant) {
  const { quantity, ...values } = sku;
  return [
    db.insertion(skus, { ...values, product_id: productId }, id),
    db.insertion(stocks, { sku_id: id, product_id: productId, stock_id: mainStock, quantity }),
  ];
}

/** The SKUs of the store that already have one of these names. */
export function skusNamed(db: StoreDb, named: readonly { sku: string }[]) {
  const keys = JSON.stringify(named.map(({ sku }) => nameKey(sku)));
  return db.select(skus, {
    where: inArray(skus.sku_key, sql`(select value from json_each(${keys}))`),
  });
}

/** The errors of those whose name is taken. */
export function takenSkus(
  named: readonly { sku: string }[],
  taken: readonly { sku_key: string }[],
  path: string,
): Record<string, string[]> {
  const keys = new Set(taken.map(({ sku_key }) => sku_key));
  return Object.fromEntries(
    named.flatMap(({ sku }, index) =>
      keys.has(nameKey(sku)) ? [[`${path}${index}.sku`, ['Already taken.']]] : [],
    ),
  );
}
