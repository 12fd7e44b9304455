import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import { untilFresh } from '../../db/fresh.ts';
import { reservation } from '../../db/sequences.ts';
import { brands, products, skus, stocks } from '../../db/schema/store.ts';
import type { StoreDb } from '../../db/store.ts';
import { publish } from '../../events/publish.ts';
import { InvalidBody, StaleRevision } from '../../problem.ts';
import { nameKey } from '../../wire/fold.ts';
import { slugify } from '../../wire/slug.ts';
import { productEvent } from './events.ts';
import { present, relations } from './reading.ts';
import type { NewProduct, NewSku, ProductChanges } from './requests.ts';

/** Raises the revision, so that whoever read an older state notices. */
export const nextRevision = { revision: sql`${products.revision} + 1` };

/** The place that every SKU has stock at from the start. */
const mainStock = 1;

/** Adds a product with its SKUs and their stock, and tells of it. Two round trips. */
export const createProduct = (db: StoreDb, body: NewProduct) =>
  untilFresh(async (tried) => {
    const { skus: newSkus, slug, ...values } = body;
    const base = slug ?? (slugify(values.name).slice(0, 240) || 'product');
    const [brandRows, taken, highest, productIds, skuIds] = await db.batch([
      db.select(brands, { where: eq(brands.id, values.brand_id) }),
      skusNamed(db, newSkus),
      slugsLike(db, base),
      reservation(db, 'products', 1),
      reservation(db, 'skus', newSkus.length),
    ]);
    const brand = brandRows[0];
    const errors = {
      ...(!brand && { brand_id: ['No such brand in this store.'] }),
      ...takenSkus(newSkus, taken, 'skus.'),
    };
    if (Object.keys(errors).length > 0) throw new InvalidBody(errors);
    const id = productIds[0]?.last ?? 0;
    const lastSku = skuIds[0]?.last ?? 0;
    // Where many want the same name at once, the number that is only this product's ends the race.
    const made = tried < 3 ? freeSlug(base, highest[0]?.slug) : `${base}-${id}`;
    const complete = { ...values, slug: slug ?? made, ...unset };
    const stored = {
      ...complete,
      ...stamps(db, id),
      name_folded: '',
      sku_folded: null,
      revision: 1,
    };
    const variants = newSkus.map((sku, index) => ({
      id: lastSku - newSkus.length + 1 + index,
      sku,
    }));
    const event = productEvent(db, 'product.created', {
      ...stored,
      brand: { data: brand ?? null },
      skus: { data: variants.map((variant) => storedSku(db, id, variant)) },
    });
    const [rows] = await renamed(slug === undefined, () =>
      publish(
        db,
        [
          db.insertion(products, complete, id),
          ...variants.flatMap((variant) => skuInsertions(db, id, variant)),
        ],
        [event],
      ),
    );
    return rows.map((row) => present(db.store, row))[0];
  });

/** What no request sets. */
const unset = { seller_id: null, affiliation_id: null, rating: 0, relevance: null };

const stamps = (db: StoreDb, id: number) => ({
  id,
  store_id: db.store.id,
  created_at: db.now,
  updated_at: db.now,
});

/** A new SKU as it will be read once it is stored. */
export function storedSku(
  db: StoreDb,
  productId: number,
  { id, sku }: { id: number; sku: NewSku },
) {
  const { quantity, ...values } = sku;
  const keys = { sku_key: '', sku_folded: '' };
  return { ...values, ...keys, ...stamps(db, id), product_id: productId, total_in_stock: quantity };
}

/** The statements that add a SKU and its stock. */
export function skuInsertions(
  db: StoreDb,
  productId: number,
  { id, sku }: { id: number; sku: NewSku },
) {
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

/** Of `shirt`, `shirt-2`, `shirt-3`, ... the one with the highest number. */
function slugsLike(db: StoreDb, base: string) {
  const numbered = and(
    sql`${products.slug} > ${`${base}-`} and ${products.slug} < ${`${base}.`}`,
    sql`substr(${products.slug}, ${base.length + 2}) not glob '*[^0-9]*'`,
  );
  return db
    .select(products, { where: sql`(${products.slug} = ${base} or ${numbered})` })
    .orderBy(desc(sql`length(${products.slug})`), desc(products.slug))
    .limit(1);
}

function freeSlug(base: string, highest: string | undefined): string {
  if (highest === undefined) return base;
  return `${base}-${highest === base ? 2 : Number(highest.slice(base.length + 1)) + 1}`;
}

/** A made slug that another writer took meanwhile is made again; a sent one is the caller's to change. */
async function renamed<T>(isMade: boolean, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (isMade && error instanceof InvalidBody && 'slug' in error.errors) throw new StaleRevision();
    throw error;
  }
}

/** Changes a product and tells of it if anything became different. One round trip, two with a change. */
export const updateProduct = (db: StoreDb, id: number, changes: ProductChanges) =>
  untilFresh(async () => {
    const [found, brandRows] = await db.batch([
      db.selectOne(products, id, relations),
      db.select(brands, { where: eq(brands.id, changes.brand_id ?? 0) }),
    ]);
    const before = found[0];
    if (!before) return undefined;
    if (changes.brand_id && !brandRows[0]) {
      throw new InvalidBody({ brand_id: ['No such brand in this store.'] });
    }
    const after = { ...before, ...changes };
    if (changes.brand_id !== undefined) after.brand = { data: brandRows[0] ?? null };
    if (!differ(before, changes)) {
      const { skus: _skus, brand: _brand, ...row } = before;
      return present(db.store, row);
    }
    after.updated_at = db.now;
    const [rows] = await publish(
      db,
      [db.change(products, atRevision(before), changes, nextRevision), db.mustHaveChanged()],
      [productEvent(db, 'product.updated', after)],
    );
    return rows.map((row) => present(db.store, row))[0];
  });

/** The product as it was read. */
export const atRevision = (product: { id: number; revision: number }) =>
  and(eq(products.id, product.id), eq(products.revision, product.revision));

/** Whether any sent value is another one than the stored one; values are plain JSON data. */
export function differ(before: Record<string, unknown>, changes: object): boolean {
  return Object.entries(changes).some(
    ([name, value]) => JSON.stringify(before[name]) !== JSON.stringify(value),
  );
}

/** Removes a product with its SKUs and stock; the event carries how it was last. Two round trips. */
export const deleteProduct = (db: StoreDb, id: number) =>
  untilFresh(async () => {
    const before = await db.find(products, id, relations);
    if (!before) return undefined;
    await publish(
      db,
      [db.removal(products, atRevision(before)), db.mustHaveChanged()],
      [productEvent(db, 'product.deleted', before)],
    );
    return {};
  });
