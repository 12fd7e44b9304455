import { linkedTo, productsOfCollection } from '../../db/links.ts';
import { collections, products } from '../../db/schema/store.ts';
import { operation } from '../../http/operation.ts';
import { bare, list, nothing, page } from '../../http/replies.ts';
import { linkedIds } from '../../wire/linked-ids.ts';
import { listing } from '../../wire/listing.ts';
import {
  collectionIncludes,
  readWithCollection,
  shownCollection,
} from '../shapes/collection-reading.ts';
import { Collection } from '../shapes/collection.ts';
import {
  associateProducts,
  productLanguage,
  productRelations,
  shownProducts,
} from '../shapes/product-listing.ts';
import { Product } from '../shapes/product.ts';
import { createCollection, deleteCollection, updateCollection } from './changes.ts';
import { CollectionRequest } from './requests.ts';

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

export const collectionOperations = [
  operation({
    id: 'listCollections',
    route: 'GET /{alias}/catalog/collections',
    access: 'catalog.read',
    query: collectionList,
    reply: page(Collection),
    rejects: [400],
    run: async ({ db, query }) => {
      const extras = readWithCollection(query.includes);
      const found = await db.page(collections, query, { extras });
      return { ...found, rows: found.rows.map((row) => shownCollection(db, row)) };
    },
  }),
  operation({
    id: 'createCollection',
    route: 'POST /{alias}/catalog/collections',
    access: 'catalog.write',
    body: CollectionRequest.post,
    reply: bare(Collection),
    rejects: [400],
    note: 'Answers 200, as nothing else is listed. restrictions is kept for the shop; the lists of this API do not apply it.',
    run: ({ db, body }) => createCollection(db, body),
  }),
  operation({
    id: 'showCollection',
    route: 'GET /{alias}/catalog/collections/{id}',
    access: 'catalog.read',
    query: listing({ includes: collectionIncludes }),
    reply: bare(Collection),
    rejects: [400, 404],
    run: async ({ db, ids, query }) => {
      const found = await db.find(collections, ids.id, readWithCollection(query.includes));
      return found && shownCollection(db, found);
    },
  }),
  operation({
    id: 'updateCollection',
    route: 'PUT /{alias}/catalog/collections/{id}',
    access: 'catalog.write',
    body: CollectionRequest.put,
    reply: bare(Collection),
    rejects: [400, 404],
    note: 'Each list of ids that is sent is replaced as a whole, those in restrictions too; what is not sent stays.',
    run: ({ db, ids, body }) => updateCollection(db, ids.id, body),
  }),
  operation({
    id: 'deleteCollection',
    route: 'DELETE /{alias}/catalog/collections/{id}',
    access: 'catalog.write',
    reply: nothing(),
    rejects: [404],
    note: 'Its children lose their parent; products, banners and feeds stay, without it.',
    run: ({ db, ids }) => deleteCollection(db, ids.id),
  }),
  operation({
    id: 'listCollectionProducts',
    route: 'GET /{alias}/catalog/collections/{id}/products',
    access: 'catalog.read',
    query: listing({ ...productLanguage, perPage: 100 }),
    reply: page(Product),
    rejects: [404],
    run: async ({ db, ids, query }) => {
      const found = await db.pageUnder(collections, ids.id, products, query, {
        where: linkedTo(productsOfCollection, ids.id),
        extras: productRelations(query.includes),
      });
      return found && { ...found, rows: shownProducts(db, found.rows) };
    },
  }),
  operation({
    id: 'addCollectionProducts',
    route: 'POST /{alias}/catalog/collections/{id}/products',
    access: 'catalog.write',
    body: linkedIds('products_ids', 'product_ids'),
    reply: list(Product),
    rejects: [400, 404],
    note: 'Adds: products that are in stay in. Answers with what is in then, at most 1,000. No event of the products.',
    run: ({ db, ids, body }) =>
      associateProducts(db, productsOfCollection, ids.id, {
        ids: body,
        field: 'products_ids',
        remove: false,
      }),
  }),
  operation({
    id: 'removeCollectionProducts',
    route: 'DELETE /{alias}/catalog/collections/{id}/products',
    access: 'catalog.write',
    body: linkedIds('products_ids', 'product_ids'),
    reply: list(Product),
    rejects: [400, 404],
    note: 'Products that are not in are skipped. Answers with what is left in, at most 1,000.',
    run: ({ db, ids, body }) =>
      associateProducts(db, productsOfCollection, ids.id, {
        ids: body,
        field: 'products_ids',
        remove: true,
      }),
  }),
];
