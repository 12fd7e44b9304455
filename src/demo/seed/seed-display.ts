import { nameKey } from '../../base/codecs/fields/normalize-text.ts';
import { slugify } from '../../base/codecs/fields/string-formats.ts';
import { dayMs } from '../../base/durations.ts';
import { BannerRequest, createBanner } from '../../catalog/banners/routes.ts';
import { createBundle, BundlesRequest } from '../../catalog/bundles/routes.ts';
import { productsOfCategory } from '../../catalog/catalog-links.ts';
import { createCategory } from '../../catalog/categories/commands.ts';
import { CategoryRequest } from '../../catalog/categories/requests.ts';
import { createCollection } from '../../catalog/collections/commands.ts';
import { CollectionRequest } from '../../catalog/collections/requests.ts';
import { createCustomization, CustomizationRequest } from '../../catalog/customizations.ts';
import { FeedRequest } from '../../catalog/feeds.ts';
import { createFilter, NewFilter } from '../../catalog/filters.ts';
import { createFlag, FlagRequest } from '../../catalog/flags/routes.ts';
import type { Database } from '../../data/core/open-database.ts';
import type { Store } from '../../data/core/store.ts';
import { linkStatement } from '../../data/queries/links.ts';
import { banners } from '../../data/schema/store/banners-tables.ts';
import { products, skus } from '../../data/schema/store/catalog-tables.ts';
import { categories, filters } from '../../data/schema/store/categories-tables.ts';
import { collections, feeds } from '../../data/schema/store/collections-tables.ts';
import { flags } from '../../data/schema/store/flags-tables.ts';
import { bundles, customizations } from '../../data/schema/store/product-extras-tables.ts';
import {
  insertMissing,
  findIdsBy,
  type IdsByKey,
  createSeedDb,
} from '../../stores/test-stores/insert-missing.ts';
import type { DisplaySeed } from './display-data.ts';
import { seedComments } from './seed-comments.ts';

/**
 * Creates the missing banners, categories, collections and so on. The products must exist already.
 */
export async function seedDisplay(
  store: Store,
  database: Database,
  display: DisplaySeed,
  now: number,
) {
  const db = createSeedDb(store, database, now);
  const shopUrl = (path: string) => `${store.base_url}/${path}`;
  const codes = display.bundles.flatMap(({ items }) => items.map(({ sku }) => sku));
  const productIds = await findIdsBy(db, products, products.slug, productSlugs(display));
  const skuIds = await findIdsBy(db, skus, skus.sku, codes);

  const bannerTarget = { table: banners, column: banners.slug, seeds: display.banners };
  const bannerIds = await insertMissing(
    db,
    { ...bannerTarget, keyOf: slugOf },
    ({ imagePath, product, ...fields }) =>
      createBanner(
        db,
        BannerRequest.post.parse({
          ...fields,
          active: true,
          image_url: shopUrl(imagePath),
          product_id: product === undefined ? null : findId(productIds, product),
        }),
      ),
  );

  const categoryTarget = { table: categories, column: categories.slug, seeds: display.categories };
  const categoryIds = await insertMissing(
    db,
    { ...categoryTarget, keyOf: slugOf },
    ({ parent, banners: bannerNames = [], products: _products, ...fields }, createdIds) =>
      createCategory(
        db,
        CategoryRequest.post.parse({
          ...fields,
          active: true,
          parent_id: parent === undefined ? null : findId(createdIds, parent),
          banners_ids: findIds(bannerIds, bannerNames),
        }),
      ),
  );
  await db.batch(
    display.categories.map((category) =>
      linkStatement(
        db,
        productsOfCategory,
        categoryIds.get(slugOf(category)) ?? 0,
        findIds(productIds, category.products),
      ),
    ),
  );

  const collectionTarget = {
    table: collections,
    column: collections.slug,
    seeds: display.collections,
  };
  const collectionIds = await insertMissing(
    db,
    { ...collectionTarget, keyOf: slugOf },
    ({ startsIn, endsIn, products: productNames, banners: bannerNames = [], ...fields }) =>
      createCollection(db, {
        ...CollectionRequest.post.parse({
          ...fields,
          active: true,
          stopwatch: null,
          show_banners: bannerNames.length > 0,
          products_ids: findIds(productIds, productNames),
          banners_ids: findIds(bannerIds, bannerNames),
        }),
        stopwatch: 'period',
        start_at: now + startsIn * dayMs,
        end_at: now + endsIn * dayMs,
      }),
  );

  const bundleTarget = { table: bundles, column: bundles.name, seeds: display.bundles };
  await insertMissing(
    db,
    { ...bundleTarget, keyOf: nameOf },
    async ({ name, imagePath, items }) => {
      const bundleItems = items.flatMap(({ sku, quantity, discount }) => {
        const sku_id = skuIds.get(sku);
        const price_type = discount === undefined ? 'sku' : 'discount';
        return sku_id ? [{ sku_id, quantity, price_type, discount: discount ?? 0 }] : [];
      });
      if (bundleItems.length === 0) return undefined;
      const body = { name, image_url: shopUrl(imagePath), items: bundleItems };
      return createBundle(db, BundlesRequest.post.parse(body));
    },
  );

  const filterTarget = { table: filters, column: filters.name_key, seeds: display.filters };
  await insertMissing(db, { ...filterTarget, keyOf: ({ name }) => nameKey(name) }, (filter) =>
    createFilter(db, NewFilter.parse(filter)),
  );

  const flagTarget = { table: flags, column: flags.slug, seeds: display.flags };
  await insertMissing(
    db,
    { ...flagTarget, keyOf: slugOf },
    ({ categories: categoryNames, excludedProducts = [], ...fields }) =>
      createFlag(
        db,
        FlagRequest.post.parse({
          ...fields,
          active: true,
          include: { categories_ids: findIds(categoryIds, categoryNames) },
          exclude_ids: findIds(productIds, excludedProducts),
        }),
      ),
  );

  const customizationTarget = {
    table: customizations,
    column: customizations.name,
    seeds: display.customizations,
  };
  await insertMissing(
    db,
    { ...customizationTarget, keyOf: nameOf },
    ({ maxChars, products: productNames, ...fields }) =>
      createCustomization(
        db,
        CustomizationRequest.post.parse({
          ...fields,
          required: false,
          max_chars: maxChars,
          products_ids: findIds(productIds, productNames),
        }),
      ),
  );

  const feedTarget = { table: feeds, column: feeds.name, seeds: display.feeds };
  await insertMissing(db, { ...feedTarget, keyOf: nameOf }, ({ path, collection, ...fields }) =>
    db.insert(
      feeds,
      FeedRequest.post.parse({
        ...fields,
        url: shopUrl(path),
        collection_id: collection === undefined ? null : findId(collectionIds, collection),
      }),
    ),
  );

  await seedComments(store, database, { comments: display.comments, productIds, now });
}

const nameOf = ({ name }: { name: string }) => name;
const slugOf = ({ name }: { name: string }) => slugify(name);
const findId = (ids: IdsByKey, name: string) => ids.get(slugify(name)) ?? null;
const findIds = (ids: IdsByKey, names: readonly string[]) =>
  names.flatMap((name) => ids.get(slugify(name)) ?? []);

/** The slugs of all products that the seeds refer to. */
function productSlugs(display: DisplaySeed): string[] {
  const names = [
    ...display.banners.flatMap(({ product }) => product ?? []),
    ...display.categories.flatMap(({ products: productNames }) => productNames),
    ...display.collections.flatMap(({ products: productNames }) => productNames),
    ...display.customizations.flatMap(({ products: productNames }) => productNames),
    ...display.flags.flatMap(({ excludedProducts = [] }) => excludedProducts),
    ...display.comments.map(({ product }) => product),
  ];
  return [...new Set(names.map(slugify))];
}
