import type { Tolerated } from '../../base/codecs/tolerant.ts';
import { retryOnConflict } from '../../data/core/retry-contention.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import {
  reviseProductsStatements,
  selectPrices,
  setPricesStatement,
  type NewPrices,
  type PricedSku,
} from '../../data/queries/bulk-changes.ts';
import { idsSubquery } from '../../data/queries/links.ts';
import { products } from '../../data/schema/store/catalog-tables.ts';
import { publishSet } from '../../webhooks/events/publish-set.ts';
import { toProductEvent } from '../products/events.ts';
import { productRelations } from '../products/schema.ts';
import { inOrder, matchItems, namedSkus, unknownSku, type ItemResult } from './match-items.ts';
import type { PriceItem } from './requests.ts';

type Prices = Omit<NewPrices, 'id'>;
type ItemsBySku = ReadonlyMap<number, { index: number; item: PriceItem }>;

/** The SKUs of the products of one transaction. Their events hold all of them, so this bounds its size. */
const maxSkusPerChunk = 2_000;

/**
 * Changes the prices of up to 500 SKUs, and publishes `product.updated` once for each product whose prices change.
 * Three round trips, one if nothing changes. Products with many SKUs take two more for every 2,000 SKUs. Only the
 * last of these transactions takes the idempotency key, so that a repetition completes an interrupted request.
 */
export async function changePrices(
  db: StoreDb,
  items: readonly Tolerated<PriceItem>[],
  maxSkus = maxSkusPerChunk,
): Promise<ItemResult[]> {
  const [found] = await db.batch([selectPrices(db, namedSkus(items))]);
  const { matches, failures } = matchItems(items, found);
  const [changing, same] = partition(matches, ({ sku, item }) => hasOtherPrices(sku, item));
  const results = [...failures, ...same.map(({ index, sku }) => unchanged(index, sku.id))];
  const itemsBySku = new Map(changing.map(({ sku, item, index }) => [sku.id, { item, index }]));
  const chunks = chunksOf(
    changing.map(({ sku }) => sku),
    maxSkus,
  );
  for (const [at, productIds] of chunks.entries()) {
    const isPreparatory = at < chunks.length - 1;
    results.push(
      ...(await retryOnConflict(() => changeChunk(db, productIds, itemsBySku, isPreparatory))),
    );
  }
  const known = new Set(results.map(({ index }) => index));
  // Deleted since the products were read.
  const gone = changing.filter(({ index }) => !known.has(index));
  return inOrder([...results, ...gone.map(({ index, item }) => unknownSku(index, item))]);
}

const unchanged = (index: number, sku_id: number): ItemResult => ({
  index,
  sku_id,
  status: 'unchanged',
});

function partition<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}

const pricesAfter = (before: Prices, item: PriceItem): Prices => ({
  price_sale: item.price_sale ?? before.price_sale,
  price_discount: item.price_discount === undefined ? before.price_discount : item.price_discount,
  price_cost: item.price_cost ?? before.price_cost,
});

function hasOtherPrices(before: Prices, item: PriceItem): boolean {
  const after = pricesAfter(before, item);
  return (
    after.price_sale !== before.price_sale ||
    after.price_discount !== before.price_discount ||
    after.price_cost !== before.price_cost
  );
}

/** The ids of the products, in chunks for one transaction each. */
function chunksOf(changing: readonly PricedSku[], maxSkus: number): number[][] {
  const chunks: number[][] = [];
  let left = 0;
  for (const [productId, count] of new Map(changing.map((sku) => [sku.product_id, sku.skus]))) {
    if (count > left) {
      chunks.push([]);
      left = maxSkus;
    }
    chunks.at(-1)?.push(productId);
    left -= count;
  }
  return chunks;
}

/** Changes the prices of some products as they are now. Two round trips. */
async function changeChunk(
  db: StoreDb,
  productIds: readonly number[],
  items: ItemsBySku,
  isPreparatory: boolean,
): Promise<ItemResult[]> {
  const [read] = await db.batch([
    db.select(products, {
      ids: idsSubquery(productIds),
      extras: productRelations,
    }),
  ]);
  const results: ItemResult[] = [];
  const prices: NewPrices[] = [];
  const changed = read.flatMap((product) => {
    const before = prices.length;
    const skus = product.skus.data.map((sku) => {
      const sent = items.get(sku.id);
      if (!sent) return sku;
      const { item, index } = sent;
      const isChanged = hasOtherPrices(sku, item);
      results.push({ index, sku_id: sku.id, status: isChanged ? 'changed' : 'unchanged' });
      if (!isChanged) return sku;
      const after = pricesAfter(sku, item);
      prices.push({ id: sku.id, ...after });
      return { ...sku, ...after, updated_at: db.now };
    });
    return prices.length === before ? [] : [{ ...product, skus: { data: skus } }];
  });
  if (changed.length === 0) return results;
  await publishSet(
    db,
    [...reviseProductsStatements(db, changed), setPricesStatement(db, prices)],
    {
      name: 'product.updated',
      events: changed.map((product) => ({
        key: product.id,
        ...toProductEvent(db, 'product.updated', { ...product, updated_at: db.now }),
      })),
    },
    { isPreparatory },
  );
  return results;
}
