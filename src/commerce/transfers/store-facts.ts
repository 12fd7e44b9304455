import { inArray, sql } from 'drizzle-orm';
import { categoryExtras } from '../../api/categories/schema.ts';
import { changedProductExtras, type ChangedProduct } from '../../api/products/plan-update.ts';
import { nameKey } from '../../base/codecs/fields/normalize-text.ts';
import type { StatementResult } from '../../data/core/statement.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { Row } from '../../data/core/store-table.ts';
import { idsSubquery } from '../../data/queries/links.ts';
import { selectHighestSlugs } from '../../data/queries/slugs.ts';
import { brands, products, skus } from '../../data/schema/store/catalog-tables.ts';
import { categories } from '../../data/schema/store/categories-tables.ts';
import { selectReceived } from '../../webhooks/events/fan-out.ts';
import type { ParsedLine } from './parse-line.ts';

const selectCategories = (db: StoreDb, ids: readonly number[]) =>
  db.select(categories, {
    ids: idsSubquery(ids),
    extras: categoryExtras(categories),
  });

type Category = StatementResult<ReturnType<typeof selectCategories>>[number];

type Brand = Row<typeof brands>;

/** The records of the store that lines refer to. */
export interface StoreFacts {
  productById: ReadonlyMap<number, ChangedProduct>;
  productBySlug: ReadonlyMap<string, ChangedProduct>;
  brands: ReadonlyMap<number, Brand>;
  categories: ReadonlyMap<number, Category>;
  /** The SKU and the product that have a name, by its key. */
  skuByKey: ReadonlyMap<string, { id: number; product_id: number }>;
  /** The highest slug that is numbered after a base. */
  highestSlug: ReadonlyMap<string, string | null>;
  /** The events of lines that an endpoint receives; none of an import without them. */
  received: ReadonlySet<LineEvent>;
}

/** The events of what lines do. */
export const lineEvents = ['product.created', 'product.updated'] as const;

export type LineEvent = (typeof lineEvents)[number];

const distinct = <T>(values: readonly (T | undefined)[]): T[] => [
  ...new Set(values.filter((value) => value !== undefined)),
];

const jsonList = (values: readonly unknown[]) =>
  sql`(select value from json_each(${JSON.stringify(values)}))`;

/** Reads all that lines refer to. One round trip for any number of them. */
export async function loadFacts(
  db: StoreDb,
  lines: readonly ParsedLine[],
  hasEvents: boolean,
): Promise<StoreFacts> {
  const slugs = distinct(lines.map((line) => line.slug));
  const bases = distinct(
    lines.map(({ id, slug, base }) => (id === undefined && slug === undefined ? base : undefined)),
  );
  // All, since SQLite walks along all products of the store to merge sorted ids without repetitions.
  const ids = sql`(select value from json_each(${JSON.stringify(distinct(lines.map(({ id }) => id)))})
    union all select ${products.id} from ${products}
      where ${products.store_id} = ${db.store.id} and ${products.slug} in ${jsonList(slugs)})`;
  const categoryIds = distinct(lines.flatMap((line) => line.categoryIds));
  const skuKeys = distinct(lines.flatMap((line) => line.skuKeys));
  const brandIds = distinct(lines.map(({ brandId }) => brandId));
  const [found, foundBrands, foundCategories, foundSkus, highest, received = []] = await db.batch([
    db.select(products, { ids, extras: changedProductExtras }),
    db.select(brands, { ids: idsSubquery(brandIds) }),
    selectCategories(db, categoryIds),
    db.select(skus, { where: inArray(skus.sku_key, jsonList(skuKeys)) }),
    selectHighestSlugs(db, products, bases),
    ...(hasEvents ? [selectReceived(db, lineEvents)] : []),
  ]);
  return {
    productById: new Map(found.map((product) => [product.id, product])),
    productBySlug: new Map(found.map((product) => [product.slug, product])),
    brands: new Map(foundBrands.map((brand) => [brand.id, brand])),
    categories: new Map(foundCategories.map((category) => [category.id, category])),
    skuByKey: new Map(foundSkus.map((sku) => [nameKey(sku.sku), sku])),
    highestSlug: new Map(highest.map(({ base, slug }) => [base, slug])),
    received: new Set(received.map(({ name }) => name)),
  };
}
