import { describe, expect, it } from 'vitest';
import { compareDocuments } from '../../../src/docs/compare-documents.ts';
import { getOpenApiDocument } from '../../../src/docs/openapi-document.ts';
import type {
  JsonSchema,
  OpenApiDocument,
  OperationObject,
} from '../../../src/http/openapi/types.ts';

/** The parts of a small document that a test changes. */
interface Api {
  operation: OperationObject;
  paths: OpenApiDocument['paths'];
  webhooks: OpenApiDocument['webhooks'];
  thing: JsonSchema;
  input: JsonSchema;
}

const contentOf = (schema: JsonSchema) => ({ 'application/json': { schema } });
const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/**
 * A document with one operation, which takes an input and answers a thing, and one event of that
 * thing.
 */
function createApi(): { api: Api; document: OpenApiDocument } {
  const operation: OperationObject = {
    operationId: 'createThing',
    tags: [],
    summary: 'Create a thing',
    'x-scope': 'things.write',
    parameters: [
      { name: 'limit', in: 'query', required: false, description: '', schema: { type: 'integer' } },
    ],
    requestBody: { required: false, content: contentOf(reference('ThingInput')) },
    responses: {
      200: {
        description: '',
        headers: { ETag: { description: '', schema: { type: 'string' } } },
        content: contentOf(reference('Thing')),
      },
      404: { description: '' },
    },
  };
  const thing: JsonSchema = {
    type: 'object',
    properties: {
      id: { type: 'integer' },
      state: { enum: ['open', 'closed'], type: 'string' },
      parent: { anyOf: [reference('Thing'), { type: 'null' }] },
      tags: { type: 'array', items: { type: 'string' } },
    },
    required: ['id', 'state'],
  };
  const input: JsonSchema = {
    type: 'object',
    properties: {
      name: { type: 'string', maxLength: 100 },
      state: { enum: ['open', 'closed'], type: 'string' },
      note: { type: ['string', 'null'] },
    },
    required: ['name'],
  };
  const event: OperationObject = {
    ...operation,
    parameters: [
      { name: 'X-Id', in: 'header', required: true, description: '', schema: { type: 'string' } },
    ],
    requestBody: { required: true, content: contentOf(reference('Thing')) },
    responses: {},
  };
  const paths = { '/things': { post: operation } };
  const webhooks = { 'thing.created': { post: event } };
  const components = { schemas: { Thing: thing, ThingInput: input } };
  const document = { paths, webhooks, components } as unknown as OpenApiDocument;
  return { api: { operation, paths, webhooks, thing, input }, document };
}

/**
 * The changes of a document that `change` makes, as lines; those that break a promise begin with
 * "!".
 */
function linesOf(change: (api: Api) => unknown): string[] {
  const { api, document } = createApi();
  change(api);
  return compareDocuments(createApi().document, document).map(
    ({ place, text, breaks }) => `${breaks ? '! ' : ''}${place} ${text}`,
  );
}

const operation = 'POST /things';

describe('the changes between two documents', () => {
  it.each<[name: string, change: (api: Api) => unknown, lines: string[]]>([
    ['nothing', () => undefined, []],
    [
      'texts',
      ({ thing, operation: one }) => {
        thing.description = 'New';
        one.summary = 'New';
      },
      [],
    ],
    [
      'a new operation',
      ({ paths, operation: one }) => (paths['/more'] = { get: one }),
      ['GET /more is new'],
    ],
    ['an operation less', ({ paths }) => delete paths['/things'], ['! POST /things is gone']],
    [
      'an event less',
      ({ webhooks }) => delete webhooks['thing.created'],
      ['! event thing.created is gone'],
    ],
    [
      'a deprecation',
      ({ operation: one }) => (one.deprecated = true),
      [`${operation} is deprecated`],
    ],
    [
      'a scope',
      ({ operation: one }) => (one['x-scope'] = 'things.admin'),
      [`! ${operation} needs the scope things.admin, not things.write`],
    ],
    [
      'a parameter less',
      ({ operation: one }) => (one.parameters = []),
      [`! ${operation} no longer takes query limit`],
    ],
    [
      'a parameter that is required now',
      ({ operation: one }) => {
        Object.assign(one.parameters?.[0] ?? {}, { required: true });
      },
      [`! ${operation} requires query limit`],
    ],
    [
      'a type of a parameter',
      ({ operation: one }) => {
        Object.assign(one.parameters?.[0] ?? {}, { schema: { type: 'string' } });
      },
      [`! ${operation} query limit: is string, was integer`],
    ],
    [
      'a body that is required now',
      ({ operation: one }) => {
        one.requestBody!.required = true;
      },
      [`! ${operation} requires a body`],
    ],
    [
      'statuses',
      ({ operation: one }) => {
        one.responses = { ...one.responses, 201: { description: '' }, 409: { description: '' } };
        delete one.responses['404'];
      },
      [
        `! ${operation} may answer 201`,
        `${operation} may answer 409`,
        `${operation} no longer answers 404`,
      ],
    ],
    [
      'a header less',
      ({ operation: one }) => {
        one.responses['200'] = { ...one.responses['200'], headers: {} } as never;
      },
      [`! ${operation} answers 200 without ETag`],
    ],
    [
      'a header of an event less',
      ({ webhooks }) => {
        webhooks['thing.created']!['post']!.parameters = [];
      },
      ['! event thing.created no longer has header X-Id'],
    ],
    [
      'a new field of both',
      ({ thing, input }) => {
        thing.properties!['size'] = { type: 'integer' };
        input.properties!['size'] = { type: 'integer' };
      },
      ['ThingInput takes size', 'Thing has size'],
    ],
    [
      'a new field that callers must send',
      ({ input }) => {
        input.properties!['size'] = { type: 'integer' };
        input.required!.push('size');
      },
      ['! ThingInput takes size, required'],
    ],
    [
      'a field less',
      ({ thing, input }) => {
        delete thing.properties!['tags'];
        delete input.properties!['note'];
      },
      ['! ThingInput no longer takes note', '! Thing no longer has tags'],
    ],
    [
      'fields that are required, and not',
      ({ thing, input }) => {
        thing.required = ['id', 'tags'];
        input.required = ['state'];
      },
      [
        'ThingInput no longer requires name',
        '! ThingInput requires state',
        '! Thing may lack state',
        'Thing always has tags',
      ],
    ],
    [
      'types',
      ({ thing }) => {
        thing.properties!['id'] = { type: 'string' };
        thing.properties!['tags'] = { type: 'array', items: { type: 'integer' } };
      },
      ['! Thing id: is string, was integer', '! Thing tags[]: is integer, was string'],
    ],
    [
      'null',
      ({ thing, input }) => {
        thing.properties!['id'] = { type: ['integer', 'null'] };
        input.properties!['note'] = { type: 'string' };
        input.properties!['name'] = {
          anyOf: [{ type: 'string', maxLength: 100 }, { type: 'null' }],
        };
      },
      [
        'ThingInput name: may be null',
        '! ThingInput note: is never null',
        '! Thing id: may be null',
      ],
    ],
    [
      'values of an enum',
      ({ thing, input }) => {
        thing.properties!['state'] = { enum: ['open', 'lost'], type: 'string' };
        input.properties!['state'] = { enum: ['open', 'lost'], type: 'string' };
      },
      [
        'ThingInput state: may be "lost"',
        '! ThingInput state: is never "closed"',
        'Thing state: may be "lost"',
        'Thing state: is never "closed"',
      ],
    ],
    [
      'limits',
      ({ input }) => {
        input.properties!['name'] = { type: 'string', minLength: 1, maxLength: 200 };
      },
      [
        '! ThingInput name: minLength is 1, was absent',
        'ThingInput name: maxLength is 200, was 100',
      ],
    ],
  ])('%s', (_name, change, lines) => {
    expect(linesOf(change).toSorted()).toEqual(lines.toSorted());
  });

  it('are none between the document and a copy of it', () => {
    const document = getOpenApiDocument('Service', '/v2');
    expect(compareDocuments(structuredClone(document), document)).toEqual([]);
  });

  it('are found in each schema and operation of the document', () => {
    const document = getOpenApiDocument('Service', '/v2');
    const old = structuredClone(document);
    for (const schema of Object.values(old.components.schemas)) delete schema.properties?.['id'];
    const places = new Set(compareDocuments(old, document).map(({ place }) => place));
    const named = Object.entries(document.components.schemas).filter(([, { properties }]) =>
      Object.hasOwn(properties ?? {}, 'id'),
    );
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter(([name]) => !places.has(name)).map(([name]) => name)).toEqual([]);
  });
});
