import { placeholderOrigin, getOpenApiDocument } from '../../../src/docs/openapi-document.ts';
import type { JsonSchema, OperationObject } from '../../../src/http/openapi/types.ts';

/** The OpenAPI document of all operations. */
export const document = getOpenApiDocument('Service', '/v2');

export const origin = placeholderOrigin;

/** All operations of the document by `METHOD /path`. */
export const documentedOperations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]): [string, OperationObject] => [
    `${method.toUpperCase()} ${path}`,
    operation,
  ]),
);

/** Those of the API; the others belong to the authorization server, at the root of the service. */
export const apiOperations = documentedOperations.filter(([, { servers }]) => !servers);

/** All webhooks of the document by the name of the event. */
export const documentedWebhooks = Object.entries(document.webhooks).flatMap(([name, item]) =>
  Object.values(item).map((operation): [string, OperationObject] => [name, operation]),
);

/** Calls `visit` for every schema of the document, with the keys that lead to it. */
export function visitSchemas(visit: (schema: JsonSchema, path: string) => void) {
  const walk = (node: unknown, path: string, isSchema: boolean) => {
    if (typeof node !== 'object' || node === null) return;
    if (isSchema) visit(node, path);
    for (const [key, value] of Object.entries(node)) {
      if (['example', 'examples', 'default', 'x-enumDescriptions', 'mapping'].includes(key))
        continue;
      const inMap = /\/(properties|schemas)$/.test(path);
      const holdsSchema = ['schema', 'items', 'additionalProperties'].includes(key) && !inMap;
      const isOption = /\/(anyOf|oneOf|allOf)$/.test(path);
      walk(value, `${path}/${key}`, inMap || holdsSchema || isOption);
    }
  };
  walk(document, '', false);
}

/** Returns the schema and the examples of every body in the document. */
export function documentedBodies(): { where: string; schema: JsonSchema; examples: unknown[] }[] {
  const bodies: { where: string; schema: JsonSchema; examples: unknown[] }[] = [];
  const visit = (node: unknown, where: string) => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (!/^(application|text)\//.test(key)) visit(value, `${where}/${key}`);
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
