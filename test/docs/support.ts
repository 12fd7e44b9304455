import { env, exports } from 'cloudflare:workers';
import { documentOf } from '../../src/docs/document.ts';
import type { OpenApiDocument, OperationObject, Schema } from '../../src/http/openapi-types.ts';
import { sections } from '../../src/operations.ts';

/** Gets any path of the Worker. */
export const get = (path: string, headers: Record<string, string> = {}) =>
  exports.default.fetch(`https://api.test${path}`, { headers });

/** The published document. */
export const published = async () => (await (await get('/openapi.json')).json()) as OpenApiDocument;

/** The document as it is folded here. */
export const document = documentOf(env.SERVICE_NAME, '/v2');

export const rows = sections.flatMap(({ operations }) => operations);

/** Every operation of the paths, as `VERB /path`. */
export const documented = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([verb, row]): [string, OperationObject] => [
    `${verb.toUpperCase()} ${path}`,
    row,
  ]),
);

/** Every operation of the webhooks. */
export const delivered = Object.entries(document.webhooks).flatMap(([name, item]) =>
  Object.values(item).map((row): [string, OperationObject] => [name, row]),
);

/** Every JSON body of the document: its schema with its examples. */
export function bodies(): { where: string; schema: Schema; examples: unknown[] }[] {
  const found: { where: string; schema: Schema; examples: unknown[] }[] = [];
  const visit = (node: unknown, where: string) => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (key !== 'application/json') visit(value, `${where}/${key}`);
      else {
        const named = Object.values(value.examples ?? {}) as { value: unknown }[];
        const examples = 'example' in value ? [value.example] : named.map((one) => one.value);
        found.push({ where, schema: value.schema, examples });
      }
    }
  };
  visit(document, '#');
  return found;
}
