import { addTypescriptSamples } from '../client/naming/sample.ts';
import { buildOpenApiDocument } from '../http/openapi/document.ts';
import type { OpenApiDocument } from '../http/openapi/types.ts';
import { operationGroups } from '../operations.ts';
import { eventDefinitions } from './event-resources.ts';
import { documentTexts } from './meaning/index.ts';
import { oauthPaths, oauthTag } from './oauth/paths.ts';
import { oauthSchemas } from './oauth/schemas.ts';

/** Stands for the address of a deployment in a document that is built ahead. */
export const placeholderOrigin = 'https://store-api.example';

let cached: { key: string; document: OpenApiDocument } | undefined;

/** Returns the OpenAPI document, which is built once for each set of arguments. */
export function getOpenApiDocument(
  serviceName: string,
  basePath: string,
  origin = placeholderOrigin,
): OpenApiDocument {
  const key = `${serviceName} ${basePath} ${origin}`;
  if (cached?.key !== key) {
    const document = buildOpenApiDocument({
      groups: operationGroups,
      events: eventDefinitions,
      origin,
      basePath,
      serviceName,
      texts: documentTexts,
      additions: { tag: oauthTag, paths: oauthPaths(origin), schemas: oauthSchemas },
    });
    addTypescriptSamples(document);
    cached = { key, document };
  }
  return cached.document;
}
