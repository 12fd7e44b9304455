import { formatNumber } from '../../base/codecs/field-messages.ts';
import { foldText } from '../../base/codecs/fields/normalize-text.ts';
import { maxCents, moneyMessage } from '../../base/codecs/fields/scalars.ts';
import type { Tolerated } from '../../base/codecs/tolerant.ts';
import { type FieldErrors, ValidationError } from '../../base/errors.ts';
import { retryOnConflict } from '../../data/core/retry-contention.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { reviseRowsStatements, updateRowsStatements } from '../../data/queries/bulk-rows.ts';
import { idsSubquery } from '../../data/queries/links.ts';
import { products, skus } from '../../data/schema/store/catalog-tables.ts';
import { publishSet } from '../../webhooks/events/publish-set.ts';
import { toProductEvent } from '../products/events.ts';
import { productRelations } from '../products/schema.ts';
import {
  failed,
  inOrder,
  matchItems,
  namedSkus,
  unknownSku,
  type NamingItem,
} from './match-items.ts';
import {
  selectFoundPrices,
  selectPrices,
  type FoundSku,
  type PricedSku,
} from './named-sku-queries.ts';
import { maxItems, type PriceItem, type PricesRequest } from './requests.ts';
import type { ItemResult } from './schema.ts';

/** The prices of a SKU. */
type Prices = Pick<PricedSku, 'price_sale' | 'price_discount' | 'price_cost'>;

/** Returns the prices of a SKU after a change. */
type PriceChange = (before: Prices) => Prices;

/** A SKU whose prices are to change. */
interface Asked {
  index: number;
  sku: PricedSku;
  /** How the caller named it. */
  item: NamingItem;
  change: PriceChange;
}

interface Options {
  /** Stores nothing. */
  isDryRun?: boolean | undefined;
  /** Whether results show the prices. */
  showsPrices?: boolean;
  maxSkus?: number;
}

/**
 * The SKUs of the products of one transaction. Their events hold all of them, so this bounds its
 * size.
 */
const maxSkusPerChunk = 2_000;

/**
 * Changes the prices of up to 500 SKUs, and publishes `product.updated` once for each product whose
 * prices change. Three round trips, one if nothing changes. Products with many SKUs take two more
 * for every 2,000 SKUs. Only the last of these transactions takes the idempotency key, so that a
 * repetition completes an interrupted request.
 */
export async function changePrices(
  db: StoreDb,
  items: readonly Tolerated<PriceItem>[],
  options: Options = {},
): Promise<ItemResult[]> {
  const [found] = await db.batch([selectPrices(db, namedSkus(items))]);
  const { matches, failures } = matchItems(items, found);
  const asked = matches.map((match) => ({ ...match, change: toPrices(match.item) }));
  return inOrder([...failures, ...(await changeAsked(db, asked, options))]);
}

/** The most products whose SKUs are looked at. */
const maxProducts = 1_000;

const tooMany = `Finds too many: at most ${maxItems} SKUs of ${formatNumber(maxProducts)} products, which have at most ${formatNumber(maxSkusPerChunk)} in all. Send a narrower filter, or import the prices.`;

/** How the prices of SKUs that a filter finds change. */
type FoundChange = Pick<PricesRequest, 'variant' | 'percent' | 'price' | 'of' | 'set'> &
  Pick<Options, 'isDryRun'>;

/**
 * Does the same to the SKUs that a filter finds, in one transaction, since a percentage must not be
 * applied twice.
 */
export async function changeFoundPrices(
  db: StoreDb,
  filter: NonNullable<PricesRequest['filter']>,
  { variant, isDryRun, ...sent }: FoundChange,
): Promise<ItemResult[]> {
  const [found, [count]] = await db.batch(
    selectFoundPrices(db, filter, { products: maxProducts, skus: maxSkusPerChunk }),
  );
  const chosen =
    variant === undefined ? found : found.filter((sku) => isVariant(sku, foldText(variant)));
  const isWhole =
    count?.total !== undefined &&
    count.total <= maxProducts &&
    !count.is_capped &&
    count.keys === null &&
    found.length <= maxSkusPerChunk;
  if (!isWhole || chosen.length > maxItems) throw new ValidationError({ filter: [tooMany] });
  const change = sent.set ? toPrices(sent.set) : byPercent(sent);
  const asked = chosen.map((sku, index) => ({ index, sku, item: { sku_id: sku.id }, change }));
  return inOrder(await changeAsked(db, asked, { isDryRun, showsPrices: true }));
}

/** Whether a text that tells a SKU from others contains a folded text. */
const isVariant = ({ sku, title, variations }: FoundSku, folded: string) =>
  [sku, title ?? '', ...variationsOf(variations).map(({ value }) => value)].some((text) =>
    foldText(text).includes(folded),
  );

const variationsOf = (json: string) => JSON.parse(json) as readonly { value: string }[];

/** The change to these prices; those that are not sent stay. */
const toPrices =
  (sent: NonNullable<PricesRequest['set']>): PriceChange =>
  (before) => ({
    price_sale: sent.price_sale ?? before.price_sale,
    price_discount: sent.price_discount === undefined ? before.price_discount : sent.price_discount,
    price_cost: sent.price_cost ?? before.price_cost,
  });

/** A percentage of this many decimals is a whole number of parts of a price. */
const wholePrice = 1_000_000n;

/** The change by a percentage, exact and rounded to cents, half a cent up. */
function byPercent({ percent = 0, price = 'price_sale', of = price }: FoundChange): PriceChange {
  const parts = wholePrice + BigInt(Math.round(percent * 10_000));
  return (before) => {
    const cents = before[of];
    if (cents === null) return before;
    const doubled = 2n * BigInt(cents) * parts + wholePrice;
    return { ...before, [price]: Number(doubled / (2n * wholePrice)) };
  };
}

/** Changes the prices of SKUs that were read. The results are in no order. */
async function changeAsked(
  db: StoreDb,
  asked: readonly Asked[],
  { maxSkus = maxSkusPerChunk, ...options }: Options,
): Promise<ItemResult[]> {
  const [changing, same] = partition(asked, ({ sku, change }) => differ(sku, change(sku)));
  const results = same.map(({ index, sku }) => unchanged(index, sku.id));
  const askedBySku = new Map(changing.map((one) => [one.sku.id, one]));
  const chunks = chunksOf(
    changing.map(({ sku }) => sku),
    maxSkus,
  );
  for (const [at, productIds] of chunks.entries()) {
    const isPreparatory = at < chunks.length - 1;
    results.push(
      ...(await retryOnConflict(() =>
        changeChunk(db, productIds, askedBySku, { ...options, isPreparatory }),
      )),
    );
  }
  const known = new Set(results.map(({ index }) => index));
  // Deleted since the products were read.
  const gone = changing.filter(({ index }) => !known.has(index));
  return [...results, ...gone.map(({ index, item }) => unknownSku(index, item))];
}

const unchanged = (index: number, sku_id: number): ItemResult => ({
  index,
  sku_id,
  status: 'unchanged',
});

function partition<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}

const differ = (before: Prices, after: Prices) =>
  after.price_sale !== before.price_sale ||
  after.price_discount !== before.price_discount ||
  after.price_cost !== before.price_cost;

const pricesOf = ({ price_sale, price_discount, price_cost }: Prices): Prices => ({
  price_sale,
  price_discount,
  price_cost,
});

/** The errors of prices that no request could send. */
const errorsOf = (after: Prices): FieldErrors =>
  Object.fromEntries(
    Object.entries(after).flatMap(([name, cents]) =>
      cents !== null && cents > maxCents ? [[name, [moneyMessage]]] : [],
    ),
  );

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
  asked: ReadonlyMap<number, Asked>,
  { isDryRun, showsPrices = isDryRun, isPreparatory }: Options & { isPreparatory: boolean },
): Promise<ItemResult[]> {
  const [read] = await db.batch([
    db.select(products, {
      ids: idsSubquery(productIds),
      extras: productRelations,
    }),
  ]);
  const results: ItemResult[] = [];
  const prices: { id: number; changes: Prices }[] = [];
  const changed = read.flatMap((product) => {
    const before = prices.length;
    const skus = product.skus.data.map((sku) => {
      const found = asked.get(sku.id);
      if (!found) return sku;
      const { index, change } = found;
      const [was, after] = [pricesOf(sku), pricesOf(change(sku))];
      const errors = errorsOf(after);
      if (Object.keys(errors).length > 0) {
        results.push(failed(index, sku.id, errors));
        return sku;
      }
      if (!differ(was, after)) {
        results.push(unchanged(index, sku.id));
        return sku;
      }
      const shown = showsPrices && { sku: sku.sku, name: product.name, before: was, after };
      results.push({ index, sku_id: sku.id, status: 'changed', ...shown });
      prices.push({ id: sku.id, changes: after });
      return { ...sku, ...after, updated_at: db.now };
    });
    return prices.length === before ? [] : [{ product, skus: { data: skus } }];
  });
  if (changed.length === 0 || isDryRun) return results;
  await publishSet(
    db,
    [
      ...reviseRowsStatements(
        db,
        products,
        changed.map(({ product: { id, revision } }) => ({ id, revision, changes: {} })),
      ),
      ...updateRowsStatements(db, skus, prices),
    ],
    {
      name: 'product.updated',
      events: changed.map(({ product, skus }) => ({
        key: product.id,
        ...toProductEvent(db, 'product.updated', { ...product, skus, updated_at: db.now }, product),
      })),
    },
    { isPreparatory },
  );
  return results;
}
