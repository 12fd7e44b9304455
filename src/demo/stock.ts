import { inArray } from 'drizzle-orm';
import type { Shard } from '../db/open.ts';
import { brands, products } from '../db/schema/store.ts';
import type { Store } from '../db/store.ts';
import { createProduct } from '../resources/products/create-product.ts';
import { NewProduct } from '../resources/products/requests.ts';
import { slugify } from '../wire/slug.ts';
import type { Catalogue, DemoProduct } from './catalogue.ts';
import { day, handle } from './handle.ts';

/** Adds those brands and products of a catalogue that a store does not have, one a day until `now`. */
export async function stock(store: Store, shard: Shard, catalogue: Catalogue, now: number) {
  const start = now - catalogue.products.length * day;
  const opened = handle(store, shard, start);
  const [knownBrands, knownProducts] = await opened.batch([
    opened.select(brands, {
      where: inArray(
        brands.name,
        catalogue.brands.map(({ name }) => name),
      ),
    }),
    opened.select(products, { where: inArray(products.slug, catalogue.products.map(slugOf)) }),
  ]);
  const brandIds = new Map(knownBrands.map(({ name, id }) => [name, id]));
  for (const brand of catalogue.brands.filter(({ name }) => !brandIds.has(name))) {
    const made = await opened.insert(brands, { featured: false, ...brand, active: true });
    if (made) brandIds.set(made.name, made.id);
  }
  const slugs = new Set(knownProducts.map(({ slug }) => slug));
  for (const [index, product] of catalogue.products.entries()) {
    if (slugs.has(slugOf(product))) continue;
    const db = handle(store, shard, start + (index + 1) * day);
    await createProduct(db, requestOf(product, brandIds.get(product.brand), store.base_url));
  }
}

const slugOf = ({ name }: DemoProduct) => slugify(name);

function requestOf(product: DemoProduct, brandId: number | undefined, baseUrl: string): NewProduct {
  const { name, description, ncm, active, differIn, skus, images = [] } = product;
  return NewProduct.parse({
    name,
    description,
    ncm,
    slug: slugOf(product),
    active: active ?? true,
    simple: differIn === undefined,
    brand_id: brandId,
    images: images.map(({ path, alt }) => ({ url: `${baseUrl}/${path}`, alt })),
    skus: skus.map(({ value, cost, price, reduced, ...sku }) => ({
      ...sku,
      title: value === undefined ? name : `${name}, ${value}`,
      price_cost: cost,
      price_sale: price,
      price_discount: reduced,
      variations: differIn === undefined ? [] : [{ name: differIn, value }],
    })),
  });
}
