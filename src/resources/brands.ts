import { eq } from 'drizzle-orm';
import { nextRevision } from '../db/revision.ts';
import { brands, products } from '../db/schema/store.ts';
import { operation } from '../http/operation.ts';
import { bare, data, nothing, page } from '../http/replies.ts';
import { bool } from '../wire/bool.ts';
import { contains, listing } from '../wire/listing.ts';
import { orNull } from '../wire/or-null.ts';
import { request } from '../wire/request.ts';
import { line, text } from '../wire/text.ts';
import { url } from '../wire/url.ts';
import { Brand } from './shapes/brand.ts';

/** The body of POST and PUT brands (contract 3.2). */
export const BrandRequest = request({
  required: { name: line(255), active: bool },
  optional: {
    featured: [bool, false],
    description: [orNull(text(10_000)), null],
    logo_url: [orNull(url()), null],
  },
});

const brandList = listing({
  sort: ['name', 'active', 'featured'],
  search: { name: 'text', active: 'bool', featured: 'bool' },
  filters: { name: contains('name', 'Text in the name.') },
});

export const brandOperations = [
  operation({
    id: 'listBrands',
    route: 'GET /{alias}/catalog/brands',
    access: 'catalog.read',
    query: brandList,
    reply: page(Brand),
    rejects: [400],
    run: ({ db, query }) => db.page(brands, query),
  }),
  operation({
    id: 'createBrand',
    route: 'POST /{alias}/catalog/brands',
    access: 'catalog.write',
    body: BrandRequest.post,
    reply: data(201, Brand),
    rejects: [400, 422],
    note: 'The name of a brand is unique in its store, without regard to letter case.',
    run: ({ db, body }) => db.insert(brands, body),
  }),
  operation({
    id: 'showBrand',
    route: 'GET /{alias}/catalog/brands/{id}',
    access: 'catalog.read',
    reply: bare(Brand),
    rejects: [400, 404],
    run: ({ db, ids }) => db.find(brands, ids.id),
  }),
  operation({
    id: 'updateBrand',
    route: 'PUT /{alias}/catalog/brands/{id}',
    access: 'catalog.write',
    body: BrandRequest.put,
    reply: data(200, Brand),
    rejects: [400, 404, 422],
    run: ({ db, ids, body }) => db.update(brands, ids.id, body),
  }),
  operation({
    id: 'deleteBrand',
    route: 'DELETE /{alias}/catalog/brands/{id}',
    access: 'catalog.write',
    reply: nothing(),
    rejects: [404],
    note: 'Products of a deleted brand stay, with brand_id null; this alone sends no product.updated.',
    run: ({ db, ids }) =>
      db.remove(brands, ids.id, [
        db.change(products, eq(products.brand_id, ids.id), { brand_id: null }, nextRevision),
      ]),
  }),
];
