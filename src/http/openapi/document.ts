import type * as z from 'zod';
import { mayReadNear } from '../../access/near-reads.ts';
import {
  isBodyOptional,
  acceptsIdempotencyKey,
  type Operation,
  type OperationGroup,
} from '../operation.ts';
import { cappedTotalHeader } from '../replies.ts';
import {
  errorResponses,
  errorSchema,
  headerReference,
  responseHeaders,
  errorReferences,
} from './error-responses.ts';
import { exampleFor } from './example.ts';
import { operationParameters, sharedParameters } from './parameters.ts';
import { createSchemaRegistry, type SchemaRegistry } from './schema-registry.ts';
import { securityRequirements, securitySchemes } from './security.ts';
import type { OpenApiDocument, OperationObject, PathItem, ResponseObject } from './types.ts';
import { buildWebhooks, type EventDefinition } from './webhooks.ts';

/** The input of the document. */
interface OpenApiSource {
  groups: readonly OperationGroup[];
  events: readonly EventDefinition[];
  /** Base path of the API. */
  basePath: string;
  /** Part of the header names of webhook deliveries. */
  serviceName: string;
}

/** Builds the OpenAPI 3.1 document of all operations and events. Deterministic: the same source gives the same document. */
export function buildOpenApiDocument(source: OpenApiSource): OpenApiDocument {
  const { groups, events, basePath, serviceName } = source;
  const registry = createSchemaRegistry();
  registry.register('Error', errorSchema);
  const paths: Record<string, PathItem> = {};
  for (const { tag, operations } of groups) {
    for (const operation of operations) {
      const item = (paths[operation.path] ??= {});
      item[operation.method.toLowerCase()] = operationObject(operation, tag, registry);
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
    servers: [{ url: basePath, description: 'This deployment' }],
    tags: [...groups.map(({ tag }) => ({ name: tag })), { name: 'Events' }],
    security: securityRequirements('signed-in'),
    paths,
    webhooks: buildWebhooks(events, serviceName, registry),
    components: {
      schemas: registry.namedSchemas,
      responses: errorResponses,
      parameters: sharedParameters,
      headers: responseHeaders,
      securitySchemes,
    },
  };
}

function operationObject(
  operation: Operation,
  tag: string,
  registry: SchemaRegistry,
): OperationObject {
  const body = operation.body && registry.input(operation.body);
  return {
    operationId: operation.id,
    tags: [tag],
    summary: summaryFromId(operation.id),
    ...(operation.note !== undefined && { description: operation.note }),
    'x-scope': operation.access,
    security: securityRequirements(operation.access),
    parameters: operationParameters(operation),
    ...(body && {
      requestBody: {
        // An empty body counts as {}.
        required: (body.required ?? []).length > 0 && !isBodyOptional(operation),
        content: {
          'application/json': {
            schema: body,
            example: exampleFor(body, registry.namedSchemas, operation.id),
          },
        },
      },
    }),
    responses: {
      [operation.reply.status]: successResponse(operation, registry),
      ...errorReferences(operation),
      ...(operation.reply.emptySchema && {
        404: emptyListResponse(operation.reply.emptySchema, registry),
      }),
    },
  };
}

function successResponse(operation: Operation, registry: SchemaRegistry): ResponseObject {
  const schema = registry.output(operation.reply.schema);
  const isPaged = schema.properties?.meta !== undefined;
  const names = [
    'X-Request-Id',
    ...(isPaged ? ['Link'] : []),
    ...(operation.reply.isPage ? [cappedTotalHeader] : []),
    'X-Warning',
    ...(operation.isStoreScoped ? ['X-Bookmark'] : []),
    ...(mayReadNear(operation.method, operation.access) ? ['Preference-Applied'] : []),
    ...(acceptsIdempotencyKey(operation) ? ['Idempotent-Replayed'] : []),
  ];
  return {
    description: operation.reply.status === 201 ? 'Created.' : 'Success.',
    headers: Object.fromEntries(names.map((name) => [name, headerReference(name)])),
    content: { 'application/json': { schema, example: exampleFor(schema, registry.namedSchemas) } },
  };
}

/** The 404 of a list without any match. */
function emptyListResponse(empty: z.ZodType, registry: SchemaRegistry): ResponseObject {
  const schema = registry.output(empty);
  return {
    description: 'The query matches nothing.',
    headers: { 'X-Request-Id': headerReference('X-Request-Id') },
    content: { 'application/json': { schema, example: exampleFor(schema, registry.namedSchemas) } },
  };
}

/** Turns `listCategoryProducts` into "List category products". */
function summaryFromId(id: string): string {
  const words = id
    .replaceAll(/([A-Z])/g, ' $1')
    .toLowerCase()
    .replaceAll(/\bsku/g, 'SKU');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
