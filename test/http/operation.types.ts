/** Declarations that must not compile. `tsc` fails if an expected error does not occur. */
import { z } from 'zod';
import { listing } from '../../src/base/codecs/listing/listing.ts';
import { BrandSchema, BrandRequest } from '../../src/catalog/brands.ts';
import { ProductSchema } from '../../src/catalog/products/schema.ts';
import { brands, products } from '../../src/data/schema/store/catalog-tables.ts';
import { operation } from '../../src/http/operation.ts';
import { bareRecord, data, emptyObject, page } from '../../src/http/replies.ts';

const right = {
  id: 'showBrand',
  route: 'GET /{alias}/catalog/brands/{id}',
  access: 'catalog.read',
  reply: bareRecord(BrandSchema),
  errors: [400, 404],
} as const;

operation({ ...right, run: ({ db, ids }) => db.find(brands, ids.id) });

const { access: _access, ...withoutAccess } = right;
// @ts-expect-error -- an operation needs `access`
operation({ ...withoutAccess, run: ({ db, ids }) => db.find(brands, ids.id) });

// @ts-expect-error -- unknown scope
operation({ ...right, access: 'catalogue.read', run: ({ db, ids }) => db.find(brands, ids.id) });

// @ts-expect-error -- the path has no such id
operation({ ...right, run: ({ db, ids }) => db.find(brands, ids.brandId) });

// @ts-expect-error -- an operation without a store has no `db`
operation({ ...right, route: 'GET /brands/{id}', run: ({ db, ids }) => db.find(brands, ids.id) });

operation({
  ...right,
  // @ts-expect-error -- PATCH is not a method of this API
  route: 'PATCH /{alias}/catalog/brands',
  run: () => Promise.resolve(undefined),
});

const create = {
  id: 'createBrand',
  route: 'POST /{alias}/catalog/brands',
  access: 'catalog.write',
  body: BrandRequest.post,
  errors: [400, 422],
} as const;

operation({
  ...create,
  reply: data(201, BrandSchema),
  run: ({ db, body }) => db.insert(brands, body),
});

operation({
  ...create,
  reply: data(201, BrandSchema),
  // @ts-expect-error -- only `db` sets the store of a record
  run: ({ db, body }) => db.insert(brands, { ...body, store_id: 7 }),
});

operation({
  ...create,
  reply: data(201, BrandSchema),
  // @ts-expect-error -- the body lacks required columns
  run: ({ db }) => db.insert(brands, { name: 'a' }),
});

operation({
  ...create,
  reply: data(201, BrandSchema.extend({ colour: z.string() })),
  // @ts-expect-error -- the table lacks a column of the reply
  run: ({ db, body }) => db.insert(brands, body),
});

operation({
  ...right,
  reply: bareRecord(ProductSchema),
  // @ts-expect-error -- a brand does not fit the schema of a product
  run: ({ db, ids }) => db.find(brands, ids.id),
});

operation({
  id: 'listBrands',
  route: 'GET /{alias}/catalog/brands',
  access: 'catalog.read',
  query: listing({ sort: ['colour'] }),
  reply: page(BrandSchema),
  errors: [400],
  // @ts-expect-error -- the table lacks a sort column
  run: ({ db, query }) => db.page(brands, query),
});

operation({
  ...right,
  route: 'DELETE /{alias}/catalog/brands/{id}',
  reply: emptyObject(),
  // @ts-expect-error -- an update cannot set the store of a record
  run: ({ db, ids }) => db.update(products, ids.id, { store_id: 7 }),
});
