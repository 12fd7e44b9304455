import { bundles } from '../../db/schema/store.ts';
import { operation } from '../../http/operation.ts';
import { bare, nothing, page } from '../../http/replies.ts';
import { listing } from '../../wire/listing.ts';
import { Bundles } from '../shapes/bundle.ts';
import { present, withItems } from './reading.ts';
import { BundlesRequest } from './request.ts';
import { createBundle, updateBundle } from './writing.ts';

const bundleList = listing({
  sort: ['name', 'active'],
  search: { name: 'text', active: 'bool' },
});

export const bundleOperations = [
  operation({
    id: 'listBundles',
    route: 'GET /{alias}/catalog/bundles',
    access: 'catalog.read',
    query: bundleList,
    reply: page(Bundles),
    rejects: [400],
    run: async ({ db, query }) => {
      const found = await db.page(bundles, query, { extras: withItems });
      return { ...found, rows: found.rows.map((row) => present(db.store, row)) };
    },
  }),
  operation({
    id: 'createBundle',
    route: 'POST /{alias}/catalog/bundles',
    access: 'catalog.write',
    body: BundlesRequest.post,
    reply: bare(Bundles),
    rejects: [400, 404, 422],
    note: 'An unknown SKU is a 404 that names it; a kit has 1 to 100 items and each SKU once.',
    run: ({ db, body }) => createBundle(db, body),
  }),
  operation({
    id: 'showBundle',
    route: 'GET /{alias}/catalog/bundles/{id}',
    access: 'catalog.read',
    reply: bare(Bundles),
    rejects: [400, 404],
    run: async ({ db, ids }) => {
      const found = await db.find(bundles, ids.id, withItems);
      return found && present(db.store, found);
    },
  }),
  operation({
    id: 'updateBundle',
    route: 'PUT /{alias}/catalog/bundles/{id}',
    access: 'catalog.write',
    body: BundlesRequest.put,
    reply: bare(Bundles),
    rejects: [400, 404, 422],
    note: 'Items are replaced whole; the item of a SKU that stays keeps its id. A SKU that is deleted leaves its kits, and a kit without items becomes inactive.',
    run: ({ db, ids, body }) => updateBundle(db, ids.id, body),
  }),
  operation({
    id: 'deleteBundle',
    route: 'DELETE /{alias}/catalog/bundles/{id}',
    access: 'catalog.write',
    reply: nothing(),
    rejects: [400, 404],
    run: ({ db, ids }) => db.remove(bundles, ids.id),
  }),
];
