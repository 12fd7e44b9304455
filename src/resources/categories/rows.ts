import { categories } from '../../db/schema/store.ts';
import { operation } from '../../http/operation.ts';
import { bare, nothing, page } from '../../http/replies.ts';
import { listing } from '../../wire/listing.ts';
import { categoryIncludes, readWithCategory, shownCategory } from '../shapes/category-reading.ts';
import { Category, FullCategory } from '../shapes/category.ts';
import { createCategory, deleteCategory, updateCategory } from './changes.ts';
import { CategoryFilter, categoryFilters } from './filter.ts';
import { categoryProductOperations } from './product-rows.ts';
import { CategoryRequest } from './requests.ts';

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

export const categoryOperations = [
  operation({
    id: 'listCategories',
    route: 'GET /{alias}/catalog/categories',
    access: 'catalog.read',
    query: categoryList,
    body: CategoryFilter,
    reply: page(FullCategory),
    rejects: [],
    note: 'The fields of the body narrow the list, and so do query parameters of the same names. Without a body every category is listed, active or not, 100 a page.',
    run: async ({ db, query, body }) => {
      const asked = body ? { ...query, where: { all: [query.where, body] } } : query;
      const found = await db.page(categories, asked, { extras: readWithCategory(query.includes) });
      return { ...found, rows: found.rows.map((row) => shownCategory(db, row, query.includes)) };
    },
  }),
  operation({
    id: 'createCategory',
    route: 'POST /{alias}/catalog/categories',
    access: 'catalog.write',
    body: CategoryRequest.post,
    reply: bare(Category, 201),
    rejects: [400, 422],
    note: 'A tree of categories is at most ten levels deep.',
    run: ({ db, body }) => createCategory(db, body),
  }),
  operation({
    id: 'showCategory',
    route: 'GET /{alias}/catalog/categories/{id}',
    access: 'catalog.read',
    query: listing({ includes: categoryIncludes }),
    reply: bare(FullCategory),
    rejects: [400, 404],
    run: async ({ db, ids, query }) => {
      const found = await db.find(categories, ids.id, readWithCategory(query.includes));
      return found && shownCategory(db, found, query.includes);
    },
  }),
  operation({
    id: 'updateCategory',
    route: 'PUT /{alias}/catalog/categories/{id}',
    access: 'catalog.write',
    body: CategoryRequest.put,
    reply: bare(FullCategory),
    rejects: [400, 404, 422],
    note: 'banners_ids and filters_values_ids are each replaced as a whole; what is not sent stays.',
    run: ({ db, ids, body }) => updateCategory(db, ids.id, body),
  }),
  operation({
    id: 'deleteCategory',
    route: 'DELETE /{alias}/catalog/categories/{id}',
    access: 'catalog.write',
    reply: nothing(),
    rejects: [400, 404],
    note: 'Its children move to its parent; products and banners stay, without it.',
    run: ({ db, ids }) => deleteCategory(db, ids.id),
  }),
  ...categoryProductOperations,
];
