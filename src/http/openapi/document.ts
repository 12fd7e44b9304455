import type { OperationGroup } from '../operation.ts';
import type { DocumentTexts } from './document-texts.ts';
import { errorCodeSchema, errorResponses, errorSchema } from './error-responses.ts';
import { exampleFor } from './example.ts';
import {
  changeComponents,
  changeOperationSchemas,
  describeEnvelopes,
  mediaTypesOf,
  operationsIn,
} from './map-document.ts';
import { completeDescriptions } from './normalize-schema.ts';
import { operationObject } from './operation-object.ts';
import { sharedParameters } from './parameter-objects.ts';
import { headerReference, responseHeaders } from './response-headers.ts';
import { type RootGroup, rootPaths } from './root-operations.ts';
import { createSchemaRegistry, type SchemaRegistry } from './schema-registry.ts';
import { securityRequirements, securitySchemes } from './security-schemes.ts';
import type { Components, JsonSchema, OpenApiDocument, PathItem } from './types.ts';
import { buildWebhooks, describeFeed, type EventDefinition } from './webhook-objects.ts';

/** The input of the document. */
export interface OpenApiSource {
  groups: readonly OperationGroup[];
  events: readonly EventDefinition[];
  /** Where the service is, such as `https://api.example.com`. */
  origin: string;
  /** Base path of the API. */
  basePath: string;
  /** Part of the header names of webhook deliveries. */
  serviceName: string;
  texts: DocumentTexts;
  root?: RootGroup;
}

/**
 * Builds the OpenAPI 3.1 document of all operations and events. Deterministic: the same source
 * gives the same document.
 */
export function buildOpenApiDocument(source: OpenApiSource): OpenApiDocument {
  const { groups, events, origin, basePath, texts, root } = source;
  const registry = createSchemaRegistry();
  registry.register('Error', errorSchema);
  registry.register('ErrorCode', errorCodeSchema(texts.errorCodes));
  const ofGroups = buildPaths(groups, registry, texts);
  const paths = { ...(root && rootPaths(root, origin, texts, registry)), ...ofGroups };
  const responses = errorResponses(origin);
  const webhooks = buildWebhooks(events, source, registry);
  describeFeed(events, registry);
  const document: OpenApiDocument = {
    openapi: '3.1.0',
    info: {
      title: 'Online Store Administration API',
      version: '2.0',
      description: texts.introduction,
      contact: { name: 'Guides and support', url: `${origin}/docs` },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: origin + basePath, description: 'This deployment' }],
    tags: [...(root ? [root.tag] : []), ...groups.map(({ tag }) => tag), 'Events'].map((name) => ({
      name,
      ...(texts.tags[name] !== undefined && { description: texts.tags[name] }),
    })),
    'x-tagGroups': texts.tagGroups,
    security: securityRequirements('signed-in'),
    paths,
    webhooks,
    components: {
      schemas: registry.namedSchemas,
      responses,
      parameters: structuredClone(sharedParameters),
      headers: usedHeaders({ paths, responses }),
      securitySchemes: securitySchemes(origin),
    },
  };
  finishSchemas(document, registry);
  return document;
}

/** The headers that a response has. */
function usedHeaders(users: Pick<OpenApiDocument, 'paths'> & Pick<Components, 'responses'>) {
  const text = JSON.stringify(users);
  return Object.fromEntries(
    Object.entries(responseHeaders).filter(([name]) =>
      text.includes(JSON.stringify(headerReference(name))),
    ),
  );
}

function buildPaths(
  groups: readonly OperationGroup[],
  registry: SchemaRegistry,
  texts: DocumentTexts,
): Record<string, PathItem> {
  const paths: Record<string, PathItem> = {};
  for (const { tag, operations } of groups) {
    for (const operation of operations) {
      const item = (paths[operation.path] ??= {});
      item[operation.method.toLowerCase()] = operationObject(operation, tag, registry, texts);
    }
  }
  return paths;
}

/** Ends the descriptions and adds the examples. */
function finishSchemas(document: OpenApiDocument, { namedSchemas }: SchemaRegistry) {
  const finish = (schema: JsonSchema) => completeDescriptions(describeEnvelopes(schema));
  changeComponents(namedSchemas, finish);
  for (const paths of [document.paths, document.webhooks]) {
    changeOperationSchemas(paths, finish);
    for (const operation of operationsIn(paths)) {
      for (const media of mediaTypesOf(operation)) {
        if (media.examples || media.schema.format === 'binary') continue;
        media.example ??= exampleFor(media.schema, namedSchemas, operation.operationId);
      }
    }
  }
}
