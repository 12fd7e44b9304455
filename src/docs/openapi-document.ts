import { buildOpenApiDocument } from '../http/openapi/document.ts';
import type { OpenApiDocument } from '../http/openapi/types.ts';
import { operationGroups } from '../operations.ts';
import { eventDefinitions } from './event-resources.ts';

let cached: { serviceName: string; basePath: string; document: OpenApiDocument } | undefined;

/** Returns the OpenAPI document of this deployment, built once per isolate. */
export function getOpenApiDocument(serviceName: string, basePath: string): OpenApiDocument {
  if (cached?.serviceName !== serviceName || cached.basePath !== basePath) {
    const document = buildOpenApiDocument({
      groups: operationGroups,
      events: eventDefinitions,
      basePath,
      serviceName,
    });
    cached = { serviceName, basePath, document };
  }
  return cached.document;
}
