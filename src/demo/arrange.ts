import { linking, productsOfCategory } from '../db/links.ts';
import type { Shard } from '../db/open.ts';
import {
  banners,
  bundles,
  categories,
  collections,
  customizations,
  feeds,
  filters,
  flags,
  products,
  skus,
} from '../db/schema/store.ts';
import type { Store } from '../db/store.ts';
import { BannerRequest, createBanner } from '../resources/banners.ts';
import { BundlesRequest } from '../resources/bundles/request.ts';
import { createBundle } from '../resources/bundles/writing.ts';
import { createCategory } from '../resources/categories/changes.ts';
import { CategoryRequest } from '../resources/categories/requests.ts';
import { createCollection } from '../resources/collections/changes.ts';
import { CollectionRequest } from '../resources/collections/requests.ts';
import { CustomizationRequest } from '../resources/customizations/request.ts';
import { createCustomization } from '../resources/customizations/writing.ts';
import { FeedRequest } from '../resources/feeds.ts';
import { NewFilter } from '../resources/filters/request.ts';
import { createFilter } from '../resources/filters/writing.ts';
import { createFlag } from '../resources/flags/changes.ts';
import { FlagRequest } from '../resources/flags/requests.ts';
import { nameKey } from '../wire/fold.ts';
import { slugify } from '../wire/slug.ts';
import { complete, idsBy, type Ids } from './complete.ts';
import { discuss } from './discuss.ts';
import type { Display } from './display.ts';
import { day, handle } from './handle.ts';

/** Adds what a store does not have of how it shows its products; these are there already. */
export async function arrange(store: Store, shard: Shard, display: Display, now: number) {
  const db = handle(store, shard, now);
  const under = (path: string) => `${store.base_url}/${path}`;
  const codes = display.bundles.flatMap(({ items }) => items.map(({ sku }) => sku));
  const sold = await idsBy(db, products, products.slug, slugsIn(display));
  const skuIds = await idsBy(db, skus, skus.sku, codes);

  const ofBanners = { table: banners, column: banners.slug, wanted: display.banners };
  const shown = await complete(db, { ...ofBanners, keyOf: slugOf }, ({ image, product, ...one }) =>
    createBanner(
      db,
      BannerRequest.post.parse({
        ...one,
        active: true,
        image_url: under(image),
        product_id: product === undefined ? null : idOf(sold, product),
      }),
    ),
  );

  const ofCategories = { table: categories, column: categories.slug, wanted: display.categories };
  const shelves = await complete(
    db,
    { ...ofCategories, keyOf: slugOf },
    ({ parent, banners: above = [], products: _linked, ...one }, made) =>
      createCategory(
        db,
        CategoryRequest.post.parse({
          ...one,
          active: true,
          parent_id: parent === undefined ? null : idOf(made, parent),
          banners_ids: idsOf(shown, above),
        }),
      ),
  );
  await db.batch(
    display.categories.map((one) =>
      linking(db, productsOfCategory, shelves.get(slugOf(one)) ?? 0, idsOf(sold, one.products)),
    ),
  );

  const ofCollections = {
    table: collections,
    column: collections.slug,
    wanted: display.collections,
  };
  const chosen = await complete(
    db,
    { ...ofCollections, keyOf: slugOf },
    ({ startsIn, endsIn, products: inside, banners: above = [], ...one }) =>
      createCollection(db, {
        ...CollectionRequest.post.parse({
          ...one,
          active: true,
          stopwatch: null,
          show_banners: above.length > 0,
          products_ids: idsOf(sold, inside),
          banners_ids: idsOf(shown, above),
        }),
        stopwatch: 'period',
        start_at: now + startsIn * day,
        end_at: now + endsIn * day,
      }),
  );

  const ofBundles = { table: bundles, column: bundles.name, wanted: display.bundles };
  await complete(db, { ...ofBundles, keyOf: nameOf }, async ({ name, image, items }) => {
    const known = items.flatMap(({ sku, quantity, discount }) => {
      const sku_id = skuIds.get(sku);
      const price_type = discount === undefined ? 'sku' : 'discount';
      return sku_id ? [{ sku_id, quantity, price_type, discount: discount ?? 0 }] : [];
    });
    if (known.length === 0) return undefined;
    const body = { name, image_url: under(image), items: known };
    return createBundle(db, BundlesRequest.post.parse(body));
  });

  const ofFilters = { table: filters, column: filters.name_key, wanted: display.filters };
  await complete(db, { ...ofFilters, keyOf: ({ name }) => nameKey(name) }, (one) =>
    createFilter(db, NewFilter.parse(one)),
  );

  const ofFlags = { table: flags, column: flags.slug, wanted: display.flags };
  await complete(
    db,
    { ...ofFlags, keyOf: slugOf },
    ({ categories: carrying, except = [], ...one }) =>
      createFlag(
        db,
        FlagRequest.post.parse({
          ...one,
          active: true,
          include: { categories_ids: idsOf(shelves, carrying) },
          exclude_ids: idsOf(sold, except),
        }),
      ),
  );

  const ofCustomizations = {
    table: customizations,
    column: customizations.name,
    wanted: display.customizations,
  };
  await complete(
    db,
    { ...ofCustomizations, keyOf: nameOf },
    ({ maxChars, products: offering, ...one }) =>
      createCustomization(
        db,
        CustomizationRequest.post.parse({
          ...one,
          required: false,
          max_chars: maxChars,
          products_ids: idsOf(sold, offering),
        }),
      ),
  );

  const ofFeeds = { table: feeds, column: feeds.name, wanted: display.feeds };
  await complete(db, { ...ofFeeds, keyOf: nameOf }, ({ path, collection, ...one }) =>
    db.insert(
      feeds,
      FeedRequest.post.parse({
        ...one,
        url: under(path),
        collection_id: collection === undefined ? null : idOf(chosen, collection),
      }),
    ),
  );

  await discuss(store, shard, { comments: display.comments, sold, now });
}

const nameOf = ({ name }: { name: string }) => name;
const slugOf = ({ name }: { name: string }) => slugify(name);
const idOf = (ids: Ids, name: string) => ids.get(slugify(name)) ?? null;
const idsOf = (ids: Ids, names: readonly string[]) =>
  names.flatMap((name) => ids.get(slugify(name)) ?? []);

/** The slugs of all products that are named. */
function slugsIn(display: Display): string[] {
  const names = [
    ...display.banners.flatMap(({ product }) => product ?? []),
    ...display.categories.flatMap((one) => one.products),
    ...display.collections.flatMap((one) => one.products),
    ...display.customizations.flatMap((one) => one.products),
    ...display.flags.flatMap(({ except = [] }) => except),
    ...display.comments.map(({ product }) => product),
  ];
  return [...new Set(names.map(slugify))];
}
