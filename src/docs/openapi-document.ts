import { buildOpenApiDocument } from '../http/openapi/document.ts';
import { addTypescriptSamples } from '../http/openapi/sample.ts';
import type { OpenApiDocument } from '../http/openapi/types.ts';
import { oauthOperations } from '../oauth/oauth-operations.ts';
import { eventDefinitions } from '../routes/event-resources.ts';
import { operationGroups } from '../routes/operations.ts';
import { appEventDefinitions } from '../webhooks/events/app-event-schemas.ts';
import { documentTexts } from './meaning/meanings.ts';

/** Replaces the address of a deployment in a document that is built ahead. */
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
      events: [...eventDefinitions, ...appEventDefinitions],
      origin,
      basePath,
      serviceName,
      texts: documentTexts,
      root: oauthOperations(origin),
    });
    addTypescriptSamples(document);
    cached = { key, document };
  }
  return cached.document;
}
