import { associationBody } from '../../base/codecs/fields/ids.ts';
import { listing, recordQuery } from '../../base/codecs/listing/listing.ts';
import { explainBody } from '../../base/codecs/meaning.ts';
import { linkedRecords } from '../../data/queries/links.ts';
import { products } from '../../data/schema/store/catalog-tables.ts';
import { collections } from '../../data/schema/store/collections-tables.ts';
import { explainOperations, operation } from '../../http/operation.ts';
import { bareRecord, dataList, deleted, page } from '../../http/replies.ts';
import { productsOfCollection } from '../catalog-links.ts';
import { associateProducts } from '../product-links.ts';
import {
  ProductSchema,
  productListOptions,
  selectProductExtras,
  serializeProducts,
} from '../products/schema.ts';
import { createCollection, deleteCollection, updateCollection } from './commands.ts';
import { CollectionRequest } from './requests.ts';
import {
  collectionIncludes,
  selectCollectionExtras,
  serializeCollection,
  CollectionSchema,
} from './schema.ts';

const collectionList = listing({
  sort: ['name', 'slug', 'active', 'featured', 'start_at', 'end_at'],
  search: {
    name: 'text',
    slug: 'text',
    parent_id: 'id',
    active: 'bool',
    featured: 'bool',
    home: 'bool',
  },
  dates: ['start_at', 'end_at'],
  includes: collectionIncludes,
  closedIncludes: ['products', 'banners'],
  parents: 'parent_id',
});

const CollectionProductsRequest = associationBody('products_ids', 'product_ids');

/* @__PURE__ */ explainBody(CollectionProductsRequest, {
  CollectionProductsInput: 'The products to show in a collection, or to take out of it.',
});

export const collectionOperations = [
  operation({
    id: 'listCollections',
    route: 'GET /{alias}/catalog/collections',
    access: 'catalog.read',
    query: collectionList,
    hasListTag: true,
    reply: page(CollectionSchema),
    errors: [400],
    run: async ({ db, query }) => {
      const extras = selectCollectionExtras(query.includes);
      const found = await db.page(collections, query, { extras });
      return { ...found, rows: found.rows.map((row) => serializeCollection(db, row)) };
    },
  }),
  operation({
    id: 'createCollection',
    route: 'POST /{alias}/catalog/collections',
    access: 'catalog.write',
    body: CollectionRequest.post,
    reply: bareRecord(CollectionSchema),
    errors: [400],
    run: ({ db, body }) => createCollection(db, body),
  }),
  operation({
    id: 'showCollection',
    route: 'GET /{alias}/catalog/collections/{id}',
    access: 'catalog.read',
    query: recordQuery(collectionIncludes),
    reply: bareRecord(CollectionSchema),
    errors: [400, 404],
    run: async ({ db, ids, query }) => {
      const found = await db.find(collections, ids.id, selectCollectionExtras(query.includes));
      return found && serializeCollection(db, found);
    },
  }),
  operation({
    id: 'updateCollection',
    route: 'PUT /{alias}/catalog/collections/{id}',
    access: 'catalog.write',
    body: CollectionRequest.put,
    reply: bareRecord(CollectionSchema),
    errors: [400, 404],
    run: ({ db, ids, body }) => updateCollection(db, ids.id, body),
  }),
  operation({
    id: 'deleteCollection',
    route: 'DELETE /{alias}/catalog/collections/{id}',
    access: 'catalog.write',
    reply: deleted(),
    errors: [404],
    run: ({ db, ids }) => deleteCollection(db, ids.id),
  }),
  operation({
    id: 'listCollectionProducts',
    route: 'GET /{alias}/catalog/collections/{id}/products',
    access: 'catalog.read',
    query: listing({ ...productListOptions, perPage: 100 }),
    hasListTag: true,
    reply: page(ProductSchema),
    errors: [404],
    run: async ({ db, ids, query }) => {
      const found = await db.pageOfParent(collections, ids.id, products, query, {
        within: linkedRecords(productsOfCollection, ids.id),
        extras: selectProductExtras(query.includes),
      });
      return found && { ...found, rows: serializeProducts(db, found.rows) };
    },
  }),
  operation({
    id: 'addCollectionProducts',
    route: 'POST /{alias}/catalog/collections/{id}/products',
    access: 'catalog.write',
    body: CollectionProductsRequest,
    reply: dataList(ProductSchema),
    errors: [400, 404],
    run: ({ db, ids, body }) =>
      associateProducts(db, productsOfCollection, ids.id, { ids: body, field: 'products_ids' }),
  }),
  operation({
    id: 'removeCollectionProducts',
    route: 'DELETE /{alias}/catalog/collections/{id}/products',
    access: 'catalog.write',
    body: CollectionProductsRequest,
    reply: dataList(ProductSchema),
    errors: [400, 404],
    run: ({ db, ids, body }) =>
      associateProducts(db, productsOfCollection, ids.id, {
        ids: body,
        field: 'products_ids',
        remove: true,
      }),
  }),
];

/* @__PURE__ */ explainOperations({
  createCollection:
    'Returns 200, not 201. restrictions is stored for the shop; the lists of this API do not apply it.',
  updateCollection:
    'Each list of ids that is sent is replaced as a whole, including those in restrictions. Fields that are not sent keep their values.',
  deleteCollection:
    'Its children lose their parent. Its products, banners and feeds are kept; collection_id of the feeds becomes null. X-Warning says how many lose it.',
  addCollectionProducts:
    'Products that are already in the collection stay in it. Returns the products of the collection after the change, at most 1,000. Sends no product event.',
  removeCollectionProducts:
    'Products that are not in the collection are ignored. Returns the products that remain, at most 1,000.',
});
