import { inArray, sql } from 'drizzle-orm';
import { nameKey } from '../../base/codecs/fields/normalize-text.ts';
import { baseColumns } from '../../data/core/reserved-ids.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { SelectedRow } from '../../data/core/store-statements.ts';
import { changedValues, hasChanges } from '../../data/queries/revision.ts';
import { skus } from '../../data/schema/store/catalog-tables.ts';
import type { NewSku, SkuChanges } from './requests.ts';
import type { skuExtras } from './schema.ts';

/** The location at which every SKU has its first stock. */
const mainStockId = 1;

/** A SKU as a read returns it. */
export type StoredSku = SelectedRow<typeof skus, typeof skuExtras>;

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

/** Reads the SKUs of the store that have one of these names. */
export function selectSkusByName(db: StoreDb, newSkus: readonly { sku: string }[]) {
  const keys = JSON.stringify(newSkus.map(({ sku }) => nameKey(sku)));
  return db.select(skus, {
    where: inArray(skus.sku_key, sql`(select value from json_each(${keys}))`),
  });
}

/** A SKU of a product that was sent: with the stored one that it refers to, or as a new one. */
export type SentSku =
  | { stored: StoredSku; changes: SkuChanges }
  | { stored?: undefined; sku: NewSku };

/** Finds the SKU of a product that was sent: the one with the id, else the one with the name. */
export const findSku = (
  stored: readonly StoredSku[],
  { id, sku }: { id?: number | undefined; sku?: string | undefined },
) =>
  stored.find((one) => one.id === id) ??
  (sku === undefined ? undefined : stored.find((one) => nameKey(one.sku) === nameKey(sku)));

/**
 * Changes of the SKUs of a product: all of them afterwards, the new ones, and the columns of others
 * that differ.
 */
export interface PlannedSkus {
  after: StoredSku[];
  added: ReservedSku[];
  changed: { id: number; changes: SkuChanges }[];
}

/**
 * Plans changes of SKUs of a product; those that were not sent stay. New ones take the ids from
 * `firstId` on. `undefined` if nothing changes.
 */
export function planSkuChanges(
  db: StoreDb,
  productId: number,
  stored: readonly StoredSku[],
  sent: readonly SentSku[],
  firstId = 0,
): PlannedSkus | undefined {
  const changed = new Map<number, { sku: StoredSku; changes: SkuChanges }>();
  const added: ReservedSku[] = [];
  for (const one of sent) {
    if (!one.stored) added.push({ id: firstId + added.length, sku: one.sku });
    else if (hasChanges(one.stored, one.changes)) {
      const sku = { ...one.stored, ...one.changes, updated_at: db.now };
      changed.set(sku.id, { sku, changes: changedValues(one.stored, one.changes) });
    }
  }
  if (changed.size + added.length === 0) return undefined;
  return {
    after: [
      ...stored.map((sku) => changed.get(sku.id)?.sku ?? sku),
      ...added.map((sku) => toStoredSku(db, productId, sku)),
    ],
    added,
    changed: [...changed].map(([id, { changes }]) => ({ id, changes })),
  };
}
