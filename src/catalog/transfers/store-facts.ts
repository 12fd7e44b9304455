import { inArray, sql } from 'drizzle-orm';
import { nameKey } from '../../base/codecs/fields/normalize-text.ts';
import type { StatementResult } from '../../data/core/statement.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { Row } from '../../data/core/store-table.ts';
import { idsSubquery } from '../../data/queries/links.ts';
import { brands, products, skus, stocks } from '../../data/schema/store/catalog-tables.ts';
import { selectReceived } from '../../webhooks/events/fan-out.ts';
import { namedSkuIds, type NamedSkus } from '../bulk/named-sku-queries.ts';
import { selectCategoriesByIds, type CategoryRecord } from '../categories/schema.ts';
import { changedProductExtras, type ChangedProduct } from '../products/write-products.ts';
import { skuOfStock } from '../skus/update-stock.ts';
import { selectHighestSlugs } from '../slug-queries.ts';
import { prepareBrands } from './new-brands.ts';
import type { ImportRules, ParsedLine } from './parse-line.ts';

/** Selects the stocks at the first place of SKUs, with what their events show. */
const selectStocks = (db: StoreDb, named: NamedSkus) =>
  db.select(stocks, {
    where: sql`${stocks.stock_id} = 1 and ${stocks.sku_id} in ${namedSkuIds(db, named)}`,
    extras: { sku: skuOfStock },
  });

/** The stock of a SKU at the first place, with its SKU. */
export type StoredStock = StatementResult<ReturnType<typeof selectStocks>>[number];

type Brand = Row<typeof brands>;

/** The records of the store that lines refer to. */
export interface StoreFacts {
  productById: ReadonlyMap<number, ChangedProduct>;
  productBySlug: ReadonlyMap<string, ChangedProduct>;
  brands: ReadonlyMap<number, Brand>;
  /**
   * The brands that lines of a table name, by the key of the name, and those of them that the store
   * does not have.
   */
  brandByKey: ReadonlyMap<string, Brand>;
  newBrands: readonly Brand[];
  categories: ReadonlyMap<number, CategoryRecord>;
  /** The SKU and the product that have a name, by its key. */
  skuByKey: ReadonlyMap<string, { id: number; product_id: number }>;
  /** The stock of each SKU with a quantity in a line, by its id. */
  stockBySku: ReadonlyMap<number, StoredStock>;
  /** The highest slug that is numbered after a base. */
  highestSlug: ReadonlyMap<string, string | null>;
  /** The events of lines that an endpoint receives; none of an import without them. */
  received: ReadonlySet<LineEvent>;
}

/** The events of what lines do. */
export const lineEvents = [
  'product.created',
  'product.updated',
  'product.inventory.updated',
] as const;

export type LineEvent = (typeof lineEvents)[number];

const distinct = <T>(values: readonly (T | undefined)[]): T[] => [
  ...new Set(values.filter((value) => value !== undefined)),
];

const jsonList = (values: readonly unknown[]) =>
  sql`(select value from json_each(${JSON.stringify(values)}))`;

/**
 * Reads all that lines refer to. One round trip for any number of them; another one for new brands.
 */
export async function loadFacts(
  db: StoreDb,
  lines: readonly ParsedLine[],
  { hasEvents, knownSkus }: Pick<ImportRules, 'hasEvents' | 'knownSkus'>,
): Promise<StoreFacts> {
  const slugs = distinct(lines.map((line) => line.slug));
  const bases = distinct(
    lines.map(({ id, slug, base }) => (id === undefined && slug === undefined ? base : undefined)),
  );
  const skuKeys = distinct(lines.flatMap((line) => line.skuKeys));
  const ofSkus = sql`${skus.store_id} = ${db.store.id} and ${skus.sku_key} in ${jsonList(skuKeys)}`;
  // All, since SQLite walks along all products of the store to merge sorted ids without
  // repetitions.
  const ids = sql`(select value from json_each(${JSON.stringify(distinct(lines.map(({ id }) => id)))})
    union all select ${products.id} from ${products}
      where ${products.store_id} = ${db.store.id} and ${products.slug} in ${jsonList(slugs)}
    ${knownSkus === 'change' ? sql`union all select ${skus.product_id} from ${skus} where ${ofSkus}` : sql``})`;
  const categoryIds = distinct(lines.flatMap((line) => line.categoryIds));
  const counted = lines.filter((line) => line.hasQuantity);
  const brandIds = idsSubquery(distinct(lines.map(({ brandId }) => brandId)));
  const wanted = new Map<string, string>();
  for (const brand of distinct(lines.flatMap(({ brand: own, fresh }) => [own, fresh.brand])))
    if (!wanted.has(nameKey(brand))) wanted.set(nameKey(brand), brand);
  const isNamed = inArray(brands.name_key, jsonList([...wanted.keys()]));
  const [found, foundBrands, foundCategories, foundSkus, highest, foundStocks, received = []] =
    await db.batch([
      db.select(products, { ids, extras: changedProductExtras }),
      db.select(
        brands,
        wanted.size > 0
          ? { where: sql`(${brands.id} in ${brandIds} or ${isNamed})` }
          : { ids: brandIds },
      ),
      selectCategoriesByIds(db, categoryIds),
      db.select(skus, { where: inArray(skus.sku_key, jsonList(skuKeys)) }),
      selectHighestSlugs(db, products, bases),
      selectStocks(db, {
        ids: distinct(counted.flatMap(({ skuIds }) => skuIds)),
        keys: distinct(counted.flatMap((line) => line.skuKeys)),
      }),
      ...(hasEvents ? [selectReceived(db, lineEvents)] : []),
    ]);
  for (const { name } of foundBrands) wanted.delete(nameKey(name));
  const newBrands = wanted.size > 0 ? await prepareBrands(db, [...wanted.values()]) : [];
  const known = [...foundBrands, ...newBrands];
  return {
    productById: new Map(found.map((product) => [product.id, product])),
    productBySlug: new Map(found.map((product) => [product.slug, product])),
    brands: new Map(known.map((brand) => [brand.id, brand])),
    brandByKey: new Map(known.map((brand) => [nameKey(brand.name), brand])),
    newBrands,
    categories: new Map(foundCategories.map((category) => [category.id, category])),
    skuByKey: new Map(foundSkus.map((sku) => [nameKey(sku.sku), sku])),
    stockBySku: new Map(foundStocks.map((stock) => [stock.sku_id, stock])),
    highestSlug: new Map(highest.map(({ base, slug }) => [base, slug])),
    received: new Set(received.map(({ name }) => name)),
  };
}
