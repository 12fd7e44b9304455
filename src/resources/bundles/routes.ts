import { listing } from '../../codecs/listing/listing.ts';
import { bundles } from '../../db/schema/store/product-extras.ts';
import { operation } from '../../http/operation.ts';
import { bareRecord, emptyObject, page } from '../../http/replies.ts';
import { BundlesSchema, serializeBundle, bundleRelations } from '../../schemas/catalog/bundle.ts';
import { createBundle, updateBundle } from './commands.ts';
import { BundlesRequest } from './requests.ts';

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
    reply: page(BundlesSchema),
    errors: [400],
    run: async ({ db, query }) => {
      const found = await db.page(bundles, query, { extras: bundleRelations });
      return { ...found, rows: found.rows.map((row) => serializeBundle(db.store, row)) };
    },
  }),
  operation({
    id: 'createBundle',
    route: 'POST /{alias}/catalog/bundles',
    access: 'catalog.write',
    body: BundlesRequest.post,
    reply: bareRecord(BundlesSchema),
    errors: [400, 404, 422],
    note: 'A kit has 1 to 100 items, and each SKU at most once. An unknown SKU returns 404 with its field in errors.',
    run: ({ db, body }) => createBundle(db, body),
  }),
  operation({
    id: 'showBundle',
    route: 'GET /{alias}/catalog/bundles/{id}',
    access: 'catalog.read',
    reply: bareRecord(BundlesSchema),
    errors: [400, 404],
    run: async ({ db, ids }) => {
      const found = await db.find(bundles, ids.id, bundleRelations);
      return found && serializeBundle(db.store, found);
    },
  }),
  operation({
    id: 'updateBundle',
    route: 'PUT /{alias}/catalog/bundles/{id}',
    access: 'catalog.write',
    body: BundlesRequest.put,
    reply: bareRecord(BundlesSchema),
    errors: [400, 404, 422],
    note: 'Items are replaced as a whole; the item of a SKU that stays keeps its id. Deleting a SKU removes it from its kits, and a kit without items becomes inactive.',
    run: ({ db, ids, body }) => updateBundle(db, ids.id, body),
  }),
  operation({
    id: 'deleteBundle',
    route: 'DELETE /{alias}/catalog/bundles/{id}',
    access: 'catalog.write',
    reply: emptyObject(),
    errors: [400, 404],
    run: ({ db, ids }) => db.remove(bundles, ids.id),
  }),
];
