import { nameKey } from '../../base/codecs/fields/normalize-text.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { changedValues, hasChanges } from '../../data/queries/revision.ts';
import type { ChangedProduct, PlannedSkus } from '../products/plan-update.ts';
import { toStoredSku, type ReservedSku } from './new-skus.ts';
import type { NewSku, SkuChanges } from './requests.ts';

type StoredSku = ChangedProduct['skus']['data'][number];

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
 * Plans changes of SKUs of a product; those that were not sent stay. New ones take the ids from
 * `firstId` on. `undefined` if nothing changes.
 */
export function planSkuChanges(
  db: StoreDb,
  productId: number,
  stored: readonly StoredSku[],
  sent: readonly SentSku[],
  firstId: number,
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
