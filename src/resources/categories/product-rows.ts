import { copying, productsOfCategory, bannersOfCategory, linkedTo } from '../../db/links.ts';
import { missing, unknownIds } from '../../db/references.ts';
import { banners, categories, products } from '../../db/schema/store.ts';
import { operation } from '../../http/operation.ts';
import { list, page } from '../../http/replies.ts';
import { notFound } from '../../problem.ts';
import { linkedIds } from '../../wire/linked-ids.ts';
import { listing } from '../../wire/listing.ts';
import { Banner } from '../shapes/banner.ts';
import { bannerLanguage, bannerRelations, shownBanner } from '../shapes/banner-reading.ts';
import {
  associateProducts,
  productLanguage,
  productRelations,
  shownProducts,
} from '../shapes/product-listing.ts';
import { Product } from '../shapes/product.ts';

const productList = listing(productLanguage);

/** The rows of what stands in a category: its products and its banners. */
export const categoryProductOperations = [
  operation({
    id: 'listCategoryProducts',
    route: 'GET /{alias}/catalog/categories/{id}/products',
    access: 'catalog.read',
    query: productList,
    reply: page(Product),
    rejects: [400, 404],
    run: async ({ db, ids, query }) => {
      const found = await db.pageUnder(categories, ids.id, products, query, {
        where: linkedTo(productsOfCategory, ids.id),
        extras: productRelations(query.includes),
      });
      return found && { ...found, rows: shownProducts(db, found.rows) };
    },
  }),
  operation({
    id: 'addCategoryProducts',
    route: 'PUT /{alias}/catalog/categories/{id}/products',
    access: 'catalog.write',
    body: linkedIds('product_ids', 'products_ids'),
    reply: list(Product),
    rejects: [400, 404],
    note: 'Adds: products that are in stay in. Answers with what is in then, at most 1,000. No event of the products.',
    run: ({ db, ids, body }) =>
      associateProducts(db, productsOfCategory, ids.id, {
        ids: body,
        field: 'product_ids',
        remove: false,
      }),
  }),
  operation({
    id: 'removeCategoryProducts',
    route: 'DELETE /{alias}/catalog/categories/{id}/products',
    access: 'catalog.write',
    body: linkedIds('product_ids', 'products_ids'),
    reply: list(Product),
    rejects: [400, 404],
    note: 'Products that are not in are skipped. Answers with what is left in, at most 1,000.',
    run: ({ db, ids, body }) =>
      associateProducts(db, productsOfCategory, ids.id, {
        ids: body,
        field: 'product_ids',
        remove: true,
      }),
  }),
  operation({
    id: 'listCategoryBanners',
    route: 'GET /{alias}/catalog/categories/{id}/banners',
    access: 'catalog.read',
    query: listing(bannerLanguage),
    reply: page(Banner),
    rejects: [400, 404],
    run: async ({ db, ids, query }) => {
      const found = await db.pageUnder(categories, ids.id, banners, query, {
        where: linkedTo(bannersOfCategory, ids.id),
        extras: bannerRelations(query.includes),
      });
      return found && { ...found, rows: found.rows.map((row) => shownBanner(db, row)) };
    },
  }),
  operation({
    id: 'copyCategoryProducts',
    route: 'POST /{alias}/catalog/categories/{id}/copy-products',
    access: 'catalog.write',
    query: productList,
    body: linkedIds('categories_ids'),
    reply: page(Product),
    rejects: [400, 404],
    note: 'The sources keep their products. Answers with a page of what is in the destination then.',
    run: async ({ db, ids, query, body }) => {
      const [owners, missed] = await db.batch([
        db.selectOne(categories, ids.id),
        missing(db, categories, body),
      ]);
      if (owners.length === 0) return undefined;
      if (missed.length > 0) throw notFound(unknownIds('categories_ids', 'category', missed));
      const found = await db.page(
        products,
        query,
        {
          where: linkedTo(productsOfCategory, ids.id),
          extras: productRelations(query.includes),
        },
        [copying(db, productsOfCategory, ids.id, body)],
      );
      return { ...found, rows: shownProducts(db, found.rows) };
    },
  }),
];
