import { inArray } from 'drizzle-orm';
import { slugify } from '../../base/codecs/fields/string-formats.ts';
import { dayMs } from '../../base/durations.ts';
import { createProduct } from '../../catalog/products/commands.ts';
import { NewProduct } from '../../catalog/products/requests.ts';
import type { Database } from '../../data/core/open-database.ts';
import type { Store } from '../../data/core/store.ts';
import { brands, products } from '../../data/schema/store/catalog-tables.ts';
import type { CatalogSeed, ProductSeed } from './catalog-seed.ts';
import { createSeedDb } from './insert-missing.ts';

/**
 * Creates the missing brands and products. Their dates are one day apart, the last one at `now`.
 */
export async function fillCatalog(
  store: Store,
  database: Database,
  catalog: CatalogSeed,
  now: number,
) {
  const start = now - catalog.products.length * dayMs;
  const db = createSeedDb(store, database, start);
  const [existingBrands, existingProducts] = await db.batch([
    db.select(brands, {
      where: inArray(
        brands.name,
        catalog.brands.map(({ name }) => name),
      ),
    }),
    db.select(products, { where: inArray(products.slug, catalog.products.map(slugOf)) }),
  ]);
  const brandIds = new Map(existingBrands.map(({ name, id }) => [name, id]));
  for (const brand of catalog.brands.filter(({ name }) => !brandIds.has(name))) {
    const created = await db.insert(brands, { featured: false, ...brand, active: true });
    if (created) brandIds.set(created.name, created.id);
  }
  const slugs = new Set(existingProducts.map(({ slug }) => slug));
  for (const [index, product] of catalog.products.entries()) {
    if (slugs.has(slugOf(product))) continue;
    const dayDb = createSeedDb(store, database, start + (index + 1) * dayMs);
    await createProduct(dayDb, toNewProduct(product, brandIds.get(product.brand), store.base_url));
  }
}

const slugOf = ({ name }: ProductSeed) => slugify(name);

function toNewProduct(
  product: ProductSeed,
  brandId: number | undefined,
  baseUrl: string,
): NewProduct {
  const { name, description, ncm, active, variationName, skus, images = [] } = product;
  return NewProduct.parse({
    name,
    description,
    ncm,
    slug: slugOf(product),
    active: active ?? true,
    simple: variationName === undefined,
    brand_id: brandId,
    images: images.map(({ path, alt }) => ({ url: `${baseUrl}/${path}`, alt })),
    skus: skus.map(({ variationValue, cost, price, discountPrice, ...sku }) => ({
      ...sku,
      title: variationValue === undefined ? name : `${name}, ${variationValue}`,
      price_cost: cost,
      price_sale: price,
      price_discount: discountPrice,
      variations:
        variationName === undefined ? [] : [{ name: variationName, value: variationValue }],
    })),
  });
}
