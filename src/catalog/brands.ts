import { eq } from 'drizzle-orm';
import * as z from 'zod';
import { recordTimes } from '../base/codecs/fields/date-time.ts';
import { idOutput } from '../base/codecs/fields/ids.ts';
import { orNull } from '../base/codecs/fields/nullable.ts';
import { bool, boolOutput } from '../base/codecs/fields/scalars.ts';
import { url } from '../base/codecs/fields/string-formats.ts';
import { line, text } from '../base/codecs/fields/text.ts';
import { contains, listing } from '../base/codecs/listing/listing.ts';
import { explain, explainBodies } from '../base/codecs/meaning.ts';
import { requestBodies } from '../base/codecs/request-bodies.ts';
import { removeCounted } from '../data/queries/detached.ts';
import { incrementRevision } from '../data/queries/revision.ts';
import { brands, maxBrandName, products } from '../data/schema/store/catalog-tables.ts';
import { explainOperations, operation } from '../http/operation.ts';
import { bareRecord, data, deleted, page, longListNote } from '../http/replies.ts';

export const BrandSchema = z
  .object({
    id: idOutput,
    active: boolOutput,
    featured: boolOutput,
    name: z.string(),
    description: z.string().nullable(),
    logo_url: z.string().nullable(),
    ...recordTimes,
  })
  .meta({ id: 'Brand' });

/* @__PURE__ */ explain(BrandSchema, 'The maker or label of products. A product has at most one.', {
  active: 'Whether the shop may show the brand; products of an inactive brand stay as they are.',
  featured: 'Whether the shop may highlight the brand, such as in a row of logos.',
  name: 'What buyers read; unique in the store, ignoring letter case.',
  description: 'Presentation for buyers, as plain text: tags are removed when it is sent.',
  logo_url: 'Address of the logo, which you host; the service does not copy the image.',
});

export const BrandRequest = requestBodies({
  required: { name: line(maxBrandName), active: bool },
  optional: {
    featured: [bool, false],
    description: [orNull(text(10_000)), null],
    logo_url: [orNull(url()), null],
  },
});

/* @__PURE__ */ explainBodies(BrandRequest, BrandSchema, {
  BrandInput: 'A new maker or label. Its name must not be taken.',
  BrandPatch: 'The fields of a brand to change.',
});

const brandList = listing({
  sort: ['name', 'active', 'featured'],
  search: { name: 'text', active: 'bool', featured: 'bool' },
  filters: {
    name: contains(
      'name',
      'Brands whose name contains this text, whatever the case and accents. Empty: all.',
    ),
  },
});

export const brandOperations = [
  operation({
    id: 'listBrands',
    route: 'GET /{alias}/catalog/brands',
    access: 'catalog.read',
    query: brandList,
    hasListTag: true,
    reply: page(BrandSchema),
    errors: [400],
    note: longListNote,
    run: ({ db, query }) => db.page(brands, query),
  }),
  operation({
    id: 'createBrand',
    route: 'POST /{alias}/catalog/brands',
    access: 'catalog.write',
    body: BrandRequest.post,
    reply: data(201, BrandSchema),
    errors: [400, 422],
    run: ({ db, body }) => db.insert(brands, body),
  }),
  operation({
    id: 'showBrand',
    route: 'GET /{alias}/catalog/brands/{id}',
    access: 'catalog.read',
    reply: bareRecord(BrandSchema),
    errors: [400, 404],
    run: ({ db, ids }) => db.find(brands, ids.id),
  }),
  operation({
    id: 'updateBrand',
    route: 'PUT /{alias}/catalog/brands/{id}',
    access: 'catalog.write',
    body: BrandRequest.put,
    reply: data(200, BrandSchema),
    errors: [400, 404, 422],
    run: ({ db, ids, body }) => db.update(brands, ids.id, body),
  }),
  operation({
    id: 'deleteBrand',
    route: 'DELETE /{alias}/catalog/brands/{id}',
    access: 'catalog.write',
    reply: deleted(),
    errors: [404],
    run: ({ db, ids }) =>
      removeCounted(db, brands, ids.id, [
        db.updateStatement(
          products,
          eq(products.brand_id, ids.id),
          { brand_id: null },
          incrementRevision(products),
        ),
      ]),
  }),
];

/* @__PURE__ */ explainOperations({
  createBrand: 'The name of a brand is unique in its store, ignoring letter case.',
  deleteBrand:
    'Products of a deleted brand stay and their brand_id becomes null. This change sends no product.updated event. X-Warning says how many they are, and how many restrictions of collections and rules of flags go with it.',
});
