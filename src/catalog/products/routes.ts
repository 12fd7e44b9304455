import { recordQuery } from '../../base/codecs/listing/listing.ts';
import { products } from '../../data/schema/store/catalog-tables.ts';
import { explainOperations, operation } from '../../http/operation.ts';
import { data, deleted, longListNote, page } from '../../http/replies.ts';
import { productLinkedFilters } from '../linked-filters.ts';
import { createProduct, deleteProduct, updateProduct } from './commands.ts';
import { NewProduct, ProductChanges, productList } from './requests.ts';
import {
  ProductSchema,
  productListOptions,
  selectProductExtras,
  serializeProduct,
} from './schema.ts';

const productQuery = recordQuery(productListOptions.includes);

export const productOperations = [
  operation({
    id: 'listProducts',
    route: 'GET /{alias}/catalog/products',
    access: 'catalog.read',
    query: productList,
    hasListTag: true,
    reply: page(ProductSchema),
    errors: [400],
    note: longListNote,
    run: async ({ db, query }) => {
      const found = await db.page(products, query, {
        extras: selectProductExtras(query.includes),
        linked: productLinkedFilters,
      });
      return { ...found, rows: found.rows.map((row) => serializeProduct(db.store, row)) };
    },
  }),
  operation({
    id: 'createProduct',
    route: 'POST /{alias}/catalog/products',
    access: 'catalog.write',
    body: NewProduct,
    reply: data(201, ProductSchema),
    errors: [400, 422],
    run: ({ db, body }) => createProduct(db, body),
  }),
  operation({
    id: 'showProduct',
    route: 'GET /{alias}/catalog/products/{id}',
    access: 'catalog.read',
    query: productQuery,
    reply: data(200, ProductSchema),
    errors: [404],
    run: async ({ db, ids, query }) => {
      const found = await db.find(products, ids.id, selectProductExtras(query.includes));
      return found && serializeProduct(db.store, found);
    },
  }),
  operation({
    id: 'updateProduct',
    route: 'PUT /{alias}/catalog/products/{id}',
    access: 'catalog.write',
    body: ProductChanges,
    reply: data(200, ProductSchema),
    errors: [404, 422],
    run: ({ db, ids, body }) => updateProduct(db, ids.id, body),
  }),
  operation({
    id: 'deleteProduct',
    route: 'DELETE /{alias}/catalog/products/{id}',
    access: 'catalog.write',
    reply: deleted(),
    errors: [404],
    run: ({ db, ids }) => deleteProduct(db, ids.id),
  }),
];

/* @__PURE__ */ explainOperations({
  deleteProduct:
    'Its SKUs, images and comments go with it. X-Warning says what loses it, such as items of carts and bundles.',
  createProduct:
    'A new product can be sent with up to 50 SKUs, each with its first quantity; only product.created is sent. categories_ids holds up to 1,000 ids. Adding or removing products through a category sends no event. images holds up to 20 images in their order, each url once.',
  updateProduct:
    'categories_ids and images are each replaced as a whole; an image whose url stays keeps its id.',
});
