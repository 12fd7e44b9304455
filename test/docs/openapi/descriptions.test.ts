import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { arrayOf, object } from '../../../src/base/codecs/fields/arrays-and-objects.ts';
import { orNull } from '../../../src/base/codecs/fields/nullable.ts';
import { bool } from '../../../src/base/codecs/fields/scalars.ts';
import { slug } from '../../../src/base/codecs/fields/string-formats.ts';
import { line } from '../../../src/base/codecs/fields/text.ts';
import { explainBody } from '../../../src/base/codecs/meaning.ts';
import { requestBodies } from '../../../src/base/codecs/request-bodies.ts';
import { documentTexts } from '../../../src/docs/meaning/meanings.ts';
import { buildOpenApiDocument } from '../../../src/http/openapi/document.ts';
import { findUndescribed, repeatsName } from '../../../src/http/openapi/missing.ts';
import { operation } from '../../../src/http/operation.ts';
import { bareRecord, data } from '../../../src/http/replies.ts';
import { document } from './support.ts';

describe('findMissing', () => {
  it('finds nothing in the document: everything has a description', () => {
    expect(findUndescribed(document, documentTexts)).toEqual([]);
  });

  it('finds no words of the inside, and no body that only names its operation', () => {
    const text = JSON.stringify(document);
    for (const words of ['the specification', 'hoever', 'omebody', '"Body of', 'obody ']) {
      expect([words, text.includes(words)]).toEqual([words, false]);
    }
  });

  const removals: [place: string, remove: (copy: typeof document) => unknown][] = [
    ['tag Brands', ({ tags }) => delete tags.find(({ name }) => name === 'Brands')?.description],
    ['schema Brand', ({ components }) => delete components.schemas.Brand?.description],
    [
      'Brand.active',
      ({ components }) => delete components.schemas.Brand?.properties?.active?.description,
    ],
    [
      'createBrand body.active',
      ({ components }) => delete components.schemas.BrandInput?.properties?.active?.description,
    ],
    ['operation listBrands', ({ paths }) => delete brands(paths).get?.description],
    [
      'listBrands query name',
      ({ paths }) =>
        brands(paths).get?.parameters?.map((parameter) =>
          'name' in parameter && parameter.name === 'name' ? (parameter.description = '') : '',
        ),
    ],
    ['header Link', ({ components }) => (components.headers.Link!.description = '')],
    ['response NotFound', ({ components }) => (components.responses.NotFound!.description = ' ')],
    [
      'scope catalog.read',
      ({ components }) =>
        (components.securitySchemes.oauth!.flows!.authorizationCode!.scopes['catalog.read'] = ''),
    ],
    ['security oauth', ({ components }) => (components.securitySchemes.oauth!.description = '')],
    ['operation onOrderPaid', ({ webhooks }) => delete webhooks['order.paid']?.post?.description],
    [
      'enum value ErrorCode gone',
      ({ components }) => delete components.schemas.ErrorCode!['x-enumDescriptions']!.gone,
    ],
    [
      'Brand.id (repeats its name)',
      ({ components }) =>
        (components.schemas.Brand!.properties!.id!.description = 'Whether it is the id.'),
    ],
    [
      'Brand.featured (repeats its name)',
      ({ components }) =>
        (components.schemas.Brand!.properties!.featured!.description =
          'Whether the brand is featured.'),
    ],
    [
      'schema BrandInput (names an operation only)',
      ({ components }) => (components.schemas.BrandInput!.description = 'Body of createBrand.'),
    ],
    [
      'listOrders query customer_id (repeats its name)',
      ({ paths }) =>
        paths['/{alias}/orders']?.get?.parameters?.map((parameter) =>
          'name' in parameter && parameter.name === 'customer_id'
            ? (parameter.description = 'Orders of this customer.')
            : '',
        ),
    ],
  ];

  it('names each place whose text is removed, and no other', () => {
    const copy = structuredClone(document);
    for (const [, remove] of removals) remove(copy);
    const places = removals.map(([place]) => place);
    expect(findUndescribed(copy, documentTexts).toSorted()).toEqual(places.toSorted());
  });

  it('names an operation without a summary in Portuguese or Spanish', () => {
    const { listBrands: _, ...operations } = documentTexts.operations;
    expect(findUndescribed(document, { ...documentTexts, operations })).toEqual([
      'operation listBrands pt-BR',
      'operation listBrands es',
    ]);
  });
});

const brands = (paths: typeof document.paths) => paths['/{alias}/catalog/brands'] ?? {};

describe('repeatsName', () => {
  it.each([
    ['status_id', 'The id of the status.', true],
    ['created_at', 'Created at.', true],
    ['products', 'The list of products.', true],
    ['slug', 'Only records whose slug contains this text.', true],
    ['status_id', 'Where the order is on its way to the buyer.', false],
    ['simple', 'Whether the product has one SKU only.', false],
  ])('of %s: "%s" is %s', (name, description, expected) => {
    expect(repeatsName(name, description)).toBe(expected);
  });
});

const Board = z.object({ width: z.string().describe('From wall to wall.') });

const Shelf = z
  .object({
    id: z.int().describe('Stays the same for ever.'),
    open: z.boolean().describe('Whether anybody may take from it.'),
    slug: z.string().nullable().describe('Last part of the address.'),
    label: z.string().nullable().describe('What visitors read.'),
    boards: z.object({ data: z.array(Board) }).describe('From top to bottom.'),
  })
  .meta({ id: 'Shelf', description: 'A place for things.' });

/** Builds a document of two operations: one that returns the shelf, and one that takes it. */
function documentOfShelf() {
  const board = object({ width: line(9) });
  explainBody(board, Board, { ShelfBoardInput: 'A piece of wood.' });
  const { post } = requestBodies({
    required: { open: bool, label: line(20).describe('What is painted on it.') },
    optional: {
      slug: [slug(20), undefined],
      note: [orNull(line(20)), null],
      boards: [arrayOf(board, { max: 3 }), []],
    },
  });
  explainBody(post, Shelf, { ShelfInput: 'A new place for things.' });
  const run = () => Promise.reject(new Error('only documented'));
  return buildOpenApiDocument({
    groups: [
      {
        tag: 'Shelves',
        operations: [
          operation({
            id: 'createShelf',
            route: 'POST /{alias}/shelves',
            access: 'catalog.write',
            body: post,
            reply: data(201, z.object({}).meta({ id: 'Nothing', description: 'Nothing at all.' })),
            errors: [422],
            run,
          }),
          operation({
            id: 'showShelf',
            route: 'GET /{alias}/shelves/{id}',
            access: 'catalog.read',
            reply: bareRecord(Shelf),
            errors: [404],
            run,
          }),
        ],
      },
    ],
    events: [],
    origin: 'https://api.test',
    basePath: '/v2',
    serviceName: 'Service',
    texts: documentTexts,
  });
}

describe('the description of a request field', () => {
  const { ShelfInput } = documentOfShelf().components.schemas;
  const described = (name: string) => ShelfInput?.properties?.[name]?.description;

  it('is that of the same field of its record, if it has none', () => {
    expect(described('open')).toBe('Whether anybody may take from it.');
    expect(described('boards')).toBe('From top to bottom.');
  });

  it('is its own, if it has one', () => {
    expect(described('label')).toBe('What is painted on it.');
  });

  it('ends with how the value is read', () => {
    expect(described('slug')).toBe(
      'Last part of the address. Converted to lower-case letters, digits and single hyphens.',
    );
  });

  it('is that of the record of each object inside', () => {
    const { ShelfBoardInput } = documentOfShelf().components.schemas;
    expect(ShelfBoardInput?.properties?.width?.description).toBe('From wall to wall.');
  });

  it('is missing if the record has no such field', () => {
    expect(described('note')).toBeUndefined();
    expect(findUndescribed(documentOfShelf(), documentTexts)).toContain('createShelf body.note');
  });
});
