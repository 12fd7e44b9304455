import { nameKey } from '../../base/codecs/fields/normalize-text.ts';
import type { Tolerated } from '../../base/codecs/tolerant.ts';
import type { FieldErrors } from '../../base/errors.ts';
import type { NamedSkus } from './named-sku-queries.ts';
import type { ItemResult } from './schema.ts';

/** How an item names its SKU. */
export interface NamingItem {
  sku_id?: number | undefined;
  sku?: string | undefined;
  stock_id?: number;
}

/** The SKUs that valid items name. */
export function namedSkus(items: readonly Tolerated<NamingItem>[]): NamedSkus {
  const valid = items.flatMap(({ value }) => (value ? [value] : []));
  return {
    ids: valid.flatMap(({ sku_id }) => (sku_id === undefined ? [] : [sku_id])),
    keys: valid.flatMap(({ sku }) => (sku === undefined ? [] : [nameKey(sku)])),
  };
}

/** A valid item with the SKU that it names. */
interface Match<Item, Sku> {
  index: number;
  item: Item;
  sku: Sku;
}

/** Finds the SKU of each item. The results are complete where an item failed already. */
export function matchItems<Item extends NamingItem, Sku extends { id: number; sku: string }>(
  items: readonly Tolerated<Item>[],
  found: readonly Sku[],
): { matches: Match<Item, Sku>[]; failures: ItemResult[] } {
  const byId = new Map(found.map((sku) => [sku.id, sku]));
  const byKey = new Map(found.map((sku) => [nameKey(sku.sku), sku]));
  const seen = new Set<string>();
  const matches: Match<Item, Sku>[] = [];
  const failures: ItemResult[] = [];
  for (const [index, { value: item, errors = {} }] of items.entries()) {
    if (!item) {
      failures.push(failed(index, null, errors));
      continue;
    }
    const sku = item.sku === undefined ? byId.get(item.sku_id ?? 0) : byKey.get(nameKey(item.sku));
    if (!sku) {
      failures.push(unknownSku(index, item));
      continue;
    }
    const place = `${sku.id} ${item.stock_id}`;
    if (seen.has(place)) {
      failures.push(failed(index, sku.id, { [fieldOf(item)]: ['Must not contain duplicates.'] }));
      continue;
    }
    seen.add(place);
    matches.push({ index, item, sku });
  }
  return { matches, failures };
}

const fieldOf = ({ sku }: NamingItem) => (sku === undefined ? 'sku_id' : 'sku');

/** The result of an item whose SKU the store does not have. */
export const unknownSku = (index: number, item: NamingItem): ItemResult =>
  failed(index, null, { [fieldOf(item)]: ['No such SKU in this store.'] });

/** The result of an item that changed nothing because of errors. */
export const failed = (index: number, sku_id: number | null, errors: FieldErrors): ItemResult => ({
  index,
  sku_id,
  status: 'failed',
  errors,
});

/** All results in the order of the items. */
export const inOrder = (results: readonly ItemResult[]) =>
  results.toSorted((one, other) => one.index - other.index);
