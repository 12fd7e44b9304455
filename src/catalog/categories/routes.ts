import { associationBody } from '../../base/codecs/fields/ids.ts';
import { listing, recordQuery } from '../../base/codecs/listing/listing.ts';
import { explainBody } from '../../base/codecs/meaning.ts';
import { unknownReference } from '../../base/errors.ts';
import { copyLinksStatement, linkedRecords } from '../../data/queries/links.ts';
import { findMissing, unknownIdErrors } from '../../data/queries/references.ts';
import { banners } from '../../data/schema/store/banners-tables.ts';
import { products } from '../../data/schema/store/catalog-tables.ts';
import { categories } from '../../data/schema/store/categories-tables.ts';
import { explainOperations, operation } from '../../http/operation.ts';
import { bareRecord, dataList, deleted, page } from '../../http/replies.ts';
import {
  BannerSchema,
  bannerListOptions,
  selectBannerExtras,
  serializeBanner,
} from '../banners/schema.ts';
import { productsOfCategory, bannersOfCategory } from '../catalog-links.ts';
import { categoryLinkedFilters } from '../linked-filters.ts';
import { associateProducts } from '../product-links.ts';
import {
  ProductSchema,
  productListOptions,
  selectProductExtras,
  serializeProducts,
} from '../products/schema.ts';
import { createCategory, deleteCategory, updateCategory } from './commands.ts';
import { CategoryFilterRequest, categoryFilters, CategoryRequest } from './requests.ts';
import {
  categoryIncludes,
  selectCategoryExtras,
  serializeCategory,
  CategorySchema,
  FullCategorySchema,
} from './schema.ts';

const categoryList = listing({
  sort: ['name', 'slug', 'order', 'parent_id', 'active', 'featured'],
  search: {
    name: 'text',
    slug: 'text',
    parent_id: 'id',
    active: 'bool',
    featured: 'bool',
    home: 'bool',
  },
  includes: categoryIncludes,
  filters: categoryFilters,
  parents: 'parent_id',
  perPage: 100,
});

const productList = listing(productListOptions);

const CategoryProductsRequest = associationBody('product_ids', 'products_ids');

/* @__PURE__ */ explainBody(CategoryProductsRequest, {
  CategoryProductsInput: 'The products to show in a category, or to take out of it.',
});

const CopyProductsRequest = associationBody('categories_ids');

/* @__PURE__ */ explainBody(CopyProductsRequest, {
  CopyCategoryProductsInput: 'The categories whose products are shown in this one as well.',
});

export const categoryOperations = [
  operation({
    id: 'listCategories',
    route: 'GET /{alias}/catalog/categories',
    access: 'catalog.read',
    query: categoryList,
    body: CategoryFilterRequest,
    hasListTag: true,
    reply: page(FullCategorySchema),
    errors: [],
    run: async ({ db, query, body }) => {
      const asked = body ? { ...query, where: { all: [query.where, body] } } : query;
      const found = await db.page(categories, asked, {
        extras: selectCategoryExtras(query.includes),
        linked: categoryLinkedFilters,
      });
      return {
        ...found,
        rows: found.rows.map((row) => serializeCategory(db, row, query.includes)),
      };
    },
  }),
  operation({
    id: 'createCategory',
    route: 'POST /{alias}/catalog/categories',
    access: 'catalog.write',
    body: CategoryRequest.post,
    reply: bareRecord(CategorySchema, 201),
    errors: [400, 422],
    run: ({ db, body }) => createCategory(db, body),
  }),
  operation({
    id: 'showCategory',
    route: 'GET /{alias}/catalog/categories/{id}',
    access: 'catalog.read',
    query: recordQuery(categoryIncludes),
    reply: bareRecord(FullCategorySchema),
    errors: [400, 404],
    run: async ({ db, ids, query }) => {
      const found = await db.find(categories, ids.id, selectCategoryExtras(query.includes));
      return found && serializeCategory(db, found, query.includes);
    },
  }),
  operation({
    id: 'updateCategory',
    route: 'PUT /{alias}/catalog/categories/{id}',
    access: 'catalog.write',
    body: CategoryRequest.put,
    reply: bareRecord(FullCategorySchema),
    errors: [400, 404, 422],
    run: ({ db, ids, body }) => updateCategory(db, ids.id, body),
  }),
  operation({
    id: 'deleteCategory',
    route: 'DELETE /{alias}/catalog/categories/{id}',
    access: 'catalog.write',
    reply: deleted(),
    errors: [400, 404],
    run: ({ db, ids }) => deleteCategory(db, ids.id),
  }),
  operation({
    id: 'listCategoryProducts',
    route: 'GET /{alias}/catalog/categories/{id}/products',
    access: 'catalog.read',
    query: productList,
    hasListTag: true,
    reply: page(ProductSchema),
    errors: [400, 404],
    run: async ({ db, ids, query }) => {
      const found = await db.pageOfParent(categories, ids.id, products, query, {
        within: linkedRecords(productsOfCategory, ids.id),
        extras: selectProductExtras(query.includes),
      });
      return found && { ...found, rows: serializeProducts(db, found.rows) };
    },
  }),
  operation({
    id: 'addCategoryProducts',
    route: 'PUT /{alias}/catalog/categories/{id}/products',
    access: 'catalog.write',
    body: CategoryProductsRequest,
    reply: dataList(ProductSchema),
    errors: [400, 404],
    run: ({ db, ids, body }) =>
      associateProducts(db, productsOfCategory, ids.id, { ids: body, field: 'product_ids' }),
  }),
  operation({
    id: 'removeCategoryProducts',
    route: 'DELETE /{alias}/catalog/categories/{id}/products',
    access: 'catalog.write',
    body: CategoryProductsRequest,
    reply: dataList(ProductSchema),
    errors: [400, 404],
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
    query: listing(bannerListOptions),
    hasListTag: true,
    reply: page(BannerSchema),
    errors: [400, 404],
    run: async ({ db, ids, query }) => {
      const found = await db.pageOfParent(categories, ids.id, banners, query, {
        within: linkedRecords(bannersOfCategory, ids.id),
        extras: selectBannerExtras(query.includes),
      });
      return found && { ...found, rows: found.rows.map((row) => serializeBanner(db, row)) };
    },
  }),
  operation({
    id: 'copyCategoryProducts',
    route: 'POST /{alias}/catalog/categories/{id}/copy-products',
    access: 'catalog.write',
    query: productList,
    body: CopyProductsRequest,
    reply: page(ProductSchema),
    errors: [400, 404],
    run: async ({ db, ids, query, body }) => {
      const [owners, missed] = await db.batch([
        db.selectOne(categories, ids.id),
        findMissing(db, categories, body),
      ]);
      if (owners.length === 0) return undefined;
      if (missed.length > 0)
        throw unknownReference(unknownIdErrors('categories_ids', 'category', missed));
      const found = await db.page(
        products,
        query,
        {
          within: linkedRecords(productsOfCategory, ids.id),
          extras: selectProductExtras(query.includes),
        },
        [copyLinksStatement(db, productsOfCategory, ids.id, body)],
      );
      return { ...found, rows: serializeProducts(db, found.rows) };
    },
  }),
];

/* @__PURE__ */ explainOperations({
  listCategories:
    'The fields of the body filter the list, as do query parameters of the same names. Without a body, all categories are listed, active or not, 100 per page.',
  createCategory: 'A category tree has at most ten levels.',
  updateCategory:
    'banners_ids and filters_values_ids are each replaced as a whole. Fields that are not sent keep their values.',
  deleteCategory:
    'Its children move to its parent. Its products and banners are kept: X-Warning says how many lose it.',
  addCategoryProducts:
    'Products that are already in the category stay in it. Returns the products of the category after the change, at most 1,000. Sends no product event.',
  removeCategoryProducts:
    'Products that are not in the category are ignored. Returns the products that remain, at most 1,000.',
  copyCategoryProducts:
    'The source categories keep their products. Returns a page of the products of the destination after the change.',
});
