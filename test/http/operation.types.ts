/** What the types of a row refuse. Checked by `tsc`: an error that does not come is an error itself. */
import { z } from 'zod';
import { brands, products } from '../../src/db/schema/store.ts';
import { operation } from '../../src/http/operation.ts';
import { bare, data, nothing, page } from '../../src/http/replies.ts';
import { Brand } from '../../src/resources/shapes/brand.ts';
import { Product } from '../../src/resources/shapes/product.ts';
import { BrandRequest } from '../../src/resources/brands.ts';
import { listing } from '../../src/wire/listing.ts';

const right = {
  id: 'showBrand',
  route: 'GET /{alias}/catalog/brands/{id}',
  access: 'catalog.read',
  reply: bare(Brand),
  rejects: [400, 404],
} as const;

operation({ ...right, run: ({ db, ids }) => db.find(brands, ids.id) });

const { access: _access, ...withoutAccess } = right;
// @ts-expect-error -- a row says who may call it
operation({ ...withoutAccess, run: ({ db, ids }) => db.find(brands, ids.id) });

// @ts-expect-error -- there is no such scope
operation({ ...right, access: 'catalogue.read', run: ({ db, ids }) => db.find(brands, ids.id) });

// @ts-expect-error -- the path has no such id
operation({ ...right, run: ({ db, ids }) => db.find(brands, ids.brandId) });

// @ts-expect-error -- a row of no store has no data of a store
operation({ ...right, route: 'GET /brands/{id}', run: ({ db, ids }) => db.find(brands, ids.id) });

operation({
  ...right,
  // @ts-expect-error -- PATCH is not a verb of this API
  route: 'PATCH /{alias}/catalog/brands',
  run: () => Promise.resolve(undefined),
});

const create = {
  id: 'createBrand',
  route: 'POST /{alias}/catalog/brands',
  access: 'catalog.write',
  body: BrandRequest.post,
  rejects: [400, 422],
} as const;

operation({ ...create, reply: data(201, Brand), run: ({ db, body }) => db.insert(brands, body) });

operation({
  ...create,
  reply: data(201, Brand),
  // @ts-expect-error -- only the handle says which store a record belongs to
  run: ({ db, body }) => db.insert(brands, { ...body, store_id: 7 }),
});

operation({
  ...create,
  reply: data(201, Brand),
  // @ts-expect-error -- the body lacks columns that the table needs
  run: ({ db }) => db.insert(brands, { name: 'a' }),
});

operation({
  ...create,
  reply: data(201, Brand.extend({ colour: z.string() })),
  // @ts-expect-error -- the table has no such column to show
  run: ({ db, body }) => db.insert(brands, body),
});

operation({
  ...right,
  reply: bare(Product),
  // @ts-expect-error -- a brand is not shown as a product
  run: ({ db, ids }) => db.find(brands, ids.id),
});

operation({
  id: 'listBrands',
  route: 'GET /{alias}/catalog/brands',
  access: 'catalog.read',
  query: listing({ sort: ['colour'] }),
  reply: page(Brand),
  rejects: [400],
  // @ts-expect-error -- the table cannot be sorted by a column that it lacks
  run: ({ db, query }) => db.page(brands, query),
});

operation({
  ...right,
  route: 'DELETE /{alias}/catalog/brands/{id}',
  reply: nothing(),
  // @ts-expect-error -- a change cannot move a record to another store
  run: ({ db, ids }) => db.update(products, ids.id, { store_id: 7 }),
});
