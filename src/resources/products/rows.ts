import { products } from '../../db/schema/store.ts';
import { operation } from '../../http/operation.ts';
import { data, nothing, page } from '../../http/replies.ts';
import { anyOf, contains, containsAny, equals, listing } from '../../wire/listing.ts';
import { productLanguage } from '../shapes/product-listing.ts';
import { Product } from '../shapes/product.ts';
import { createProduct } from './create-product.ts';
import { deleteProduct, updateProduct } from './product-changes.ts';
import { included, present } from '../shapes/product-reading.ts';
import { NewProduct, ProductChanges } from './requests.ts';

const productList = listing({
  ...productLanguage,
  filters: {
    name: contains('name'),
    q: containsAny(['name', 'slug', 'sku'], 'Text in the name, the slug or the SKU.'),
    active: equals('active', 'bool'),
    brand_id: anyOf('brand_id', 'id'),
    category_id: anyOf(
      'categories_ids',
      'id',
      'Any of these categories, with commas or as category_id[].',
    ),
    collection_id: anyOf(
      'collections_ids',
      'id',
      'Any of these collections, with commas or as collection_id[].',
    ),
    flag_id: anyOf('flags_ids', 'id', 'Carries any of these flags, with commas or as flag_id[].'),
  },
});

const productQuery = listing({ includes: productLanguage.includes });

export const productOperations = [
  operation({
    id: 'listProducts',
    route: 'GET /{alias}/catalog/products',
    access: 'catalog.read',
    query: productList,
    reply: page(Product),
    rejects: [400],
    run: async ({ db, query }) => {
      const found = await db.page(products, query, { extras: included(query.includes) });
      return { ...found, rows: found.rows.map((row) => present(db.store, row)) };
    },
  }),
  operation({
    id: 'createProduct',
    route: 'POST /{alias}/catalog/products',
    access: 'catalog.write',
    body: NewProduct,
    reply: data(201, Product),
    rejects: [400, 422],
    note: 'Up to 50 SKUs come with a new product, each with its first quantity; that sends product.created only. categories_ids names up to 1,000 categories; those a category takes or loses by its own rows send no event. images holds up to 20, in their order, each address once.',
    run: ({ db, body }) => createProduct(db, body),
  }),
  operation({
    id: 'showProduct',
    route: 'GET /{alias}/catalog/products/{id}',
    access: 'catalog.read',
    query: productQuery,
    reply: data(200, Product),
    rejects: [404],
    run: async ({ db, ids, query }) => {
      const found = await db.find(products, ids.id, included(query.includes));
      return found && present(db.store, found);
    },
  }),
  operation({
    id: 'updateProduct',
    route: 'PUT /{alias}/catalog/products/{id}',
    access: 'catalog.write',
    body: ProductChanges,
    reply: data(200, Product),
    rejects: [404, 422],
    note: 'categories_ids and images are each replaced as a whole; an image whose url stays keeps its id.',
    run: ({ db, ids, body }) => updateProduct(db, ids.id, body),
  }),
  operation({
    id: 'deleteProduct',
    route: 'DELETE /{alias}/catalog/products/{id}',
    access: 'catalog.write',
    reply: nothing(),
    rejects: [404],
    run: ({ db, ids }) => deleteProduct(db, ids.id),
  }),
];
