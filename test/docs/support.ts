import { env, exports } from 'cloudflare:workers';
import { getOpenApiDocument } from '../../src/docs/openapi-document.ts';
import type { JsonSchema, OpenApiDocument, OperationObject } from '../../src/http/openapi/types.ts';

/** Requests a path of the Worker. */
export const get = (path: string, headers: Record<string, string> = {}) =>
  exports.default.fetch(`https://api.test${path}`, { headers });

/** Requests the published OpenAPI document. */
export const fetchDocument = async () =>
  (await (await get('/openapi.json')).json()) as OpenApiDocument;

/** The OpenAPI document, built in this isolate. */
export const document = getOpenApiDocument(env.SERVICE_NAME, '/v2');

/** All operations of the document by `METHOD /path`. */
export const documentedOperations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]): [string, OperationObject] => [
    `${method.toUpperCase()} ${path}`,
    operation,
  ]),
);

/** All webhooks of the document by the name of the event. */
export const documentedWebhooks = Object.entries(document.webhooks).flatMap(([name, item]) =>
  Object.values(item).map((operation): [string, OperationObject] => [name, operation]),
);

/** Returns the schema and the examples of every JSON body in the document. */
export function jsonBodies(): { where: string; schema: JsonSchema; examples: unknown[] }[] {
  const bodies: { where: string; schema: JsonSchema; examples: unknown[] }[] = [];
  const visit = (node: unknown, where: string) => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (key !== 'application/json') visit(value, `${where}/${key}`);
      else {
        const named = Object.values(value.examples ?? {}) as { value: unknown }[];
        const examples =
          'example' in value ? [value.example] : named.map((example) => example.value);
        bodies.push({ where, schema: value.schema, examples });
      }
    }
  };
  visit(document, '#');
  return bodies;
}
