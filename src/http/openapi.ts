import type * as z from 'zod';
import { isBodyOptional, takesKey, type Operation, type Section } from './operation.ts';
import { errorResponses, errorSchema, headerRef, headers, refusalsOf } from './openapi-errors.ts';
import { exampleOf } from './openapi-example.ts';
import { parametersOf, sharedParameters } from './openapi-parameters.ts';
import { schemaShelf, type SchemaShelf } from './openapi-schemas.ts';
import { securityOf, securitySchemes } from './openapi-security.ts';
import type {
  OpenApiDocument,
  OperationObject,
  PathItem,
  ResponseObject,
} from './openapi-types.ts';
import { webhooksOf, type EventContract } from './openapi-webhooks.ts';

/** What the document is folded from. */
export interface OpenApiSource {
  sections: readonly Section[];
  events: readonly EventContract[];
  /** Address of the API, relative to the document. */
  base: string;
  /** Part of the names of the webhook headers. */
  serviceName: string;
}

/** The OpenAPI 3.1 document of all rows and events; the same source gives the same document. */
export function openApiDocument(source: OpenApiSource): OpenApiDocument {
  const { sections, events, base, serviceName } = source;
  const shelf = schemaShelf();
  shelf.keep('Error', errorSchema);
  const paths: Record<string, PathItem> = {};
  for (const { heading, operations } of sections) {
    for (const row of operations) {
      const item = (paths[row.path] ??= {});
      item[row.verb.toLowerCase()] = operationOf(row, heading, shelf);
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Online Store Administration API',
      version: '2.0',
      description:
        'Administers online stores: catalogue, checkout, configuration and webhooks. Each store is addressed by its alias.',
    },
    servers: [{ url: base, description: 'This deployment' }],
    tags: [...sections.map(({ heading }) => ({ name: heading })), { name: 'Events' }],
    security: securityOf('signed-in'),
    paths,
    webhooks: webhooksOf(events, serviceName, shelf),
    components: {
      schemas: shelf.named,
      responses: errorResponses,
      parameters: sharedParameters,
      headers,
      securitySchemes,
    },
  };
}

function operationOf(row: Operation, heading: string, shelf: SchemaShelf): OperationObject {
  const body = row.body && shelf.sent(row.body);
  return {
    operationId: row.id,
    tags: [heading],
    summary: summaryOf(row.id),
    ...(row.note !== undefined && { description: row.note }),
    'x-scope': row.access,
    security: securityOf(row.access),
    parameters: parametersOf(row),
    ...(body && {
      requestBody: {
        // An empty body counts as {} (contract 1.2).
        required: (body.required ?? []).length > 0 && !isBodyOptional(row),
        content: {
          'application/json': { schema: body, example: exampleOf(body, shelf.named, row.id) },
        },
      },
    }),
    responses: {
      [row.reply.status]: successOf(row, shelf),
      ...refusalsOf(row),
      ...(row.reply.empty && { 404: emptyOf(row.reply.empty, shelf) }),
    },
  };
}

function successOf(row: Operation, shelf: SchemaShelf): ResponseObject {
  const schema = shelf.shown(row.reply.schema);
  const isPaged = schema.properties?.meta !== undefined;
  const names = [
    'X-Request-Id',
    ...(isPaged ? ['Link'] : []),
    ...(row.query || row.body ? ['X-Warning'] : []),
    ...(takesKey(row) ? ['Idempotent-Replayed'] : []),
  ];
  return {
    description: row.reply.status === 201 ? 'Created.' : 'Done.',
    headers: Object.fromEntries(names.map((name) => [name, headerRef(name)])),
    content: { 'application/json': { schema, example: exampleOf(schema, shelf.named) } },
  };
}

/** The 404 of a list whose query matches nothing. */
function emptyOf(empty: z.ZodType, shelf: SchemaShelf): ResponseObject {
  const schema = shelf.shown(empty);
  return {
    description: 'The query matches nothing.',
    headers: { 'X-Request-Id': headerRef('X-Request-Id') },
    content: { 'application/json': { schema, example: exampleOf(schema, shelf.named) } },
  };
}

/** `listCategoryProducts` as words. */
function summaryOf(id: string): string {
  const words = id
    .replaceAll(/([A-Z])/g, ' $1')
    .toLowerCase()
    .replaceAll(/\bsku/g, 'SKU');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
