import { eq } from 'drizzle-orm';
import { nameKey } from '../../base/codecs/fields/normalize-text.ts';
import type { Statement } from '../../data/core/statement.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { hasChanges } from '../../data/queries/revision.ts';
import { skus } from '../../data/schema/store/catalog-tables.ts';
import type { ChangedProduct } from '../products/plan-update.ts';
import { insertSkuStatements, toStoredSku } from './new-skus.ts';
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
  (sku === undefined ? undefined : stored.find((one) => one.sku_key === nameKey(sku)));

/**
 * Plans changes of SKUs of a product; those that were not sent stay. New ones take the ids from `firstId` on. `undefined` if
 * nothing changes.
 */
export function planSkuChanges(
  db: StoreDb,
  productId: number,
  stored: readonly StoredSku[],
  sent: readonly SentSku[],
  firstId: number,
): { after: StoredSku[]; statements: Statement[] } | undefined {
  const statements: Statement[] = [];
  const changed = new Map<number, StoredSku>();
  const added: StoredSku[] = [];
  for (const one of sent) {
    if (!one.stored) {
      const reserved = { id: firstId + added.length, sku: one.sku };
      added.push(toStoredSku(db, productId, reserved));
      statements.push(...insertSkuStatements(db, productId, reserved));
    } else if (hasChanges(one.stored, one.changes)) {
      changed.set(one.stored.id, { ...one.stored, ...one.changes, updated_at: db.now });
      statements.push(db.updateStatement(skus, eq(skus.id, one.stored.id), one.changes));
    }
  }
  if (statements.length === 0) return undefined;
  return { after: [...stored.map((sku) => changed.get(sku.id) ?? sku), ...added], statements };
}
