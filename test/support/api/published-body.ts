import { getOpenApiDocument } from '../../../src/docs/openapi-document.ts';
import type { MediaType } from '../../../src/http/openapi/types.ts';
import type { Operation } from '../../../src/http/operation.ts';
import { inlineSchema } from './inline-schema.ts';

/**
 * Returns the documented request body of an operation: its schema, without references, and a valid
 * example.
 */
export function publishedBody({
  id,
  path,
  method,
}: Pick<Operation, 'id' | 'path' | 'method'>): MediaType {
  const { paths, components } = getOpenApiDocument('Service', '/v2');
  const media = paths[path]?.[method.toLowerCase()]?.requestBody?.content['application/json'];
  if (!media) throw new Error(`${id} takes no body`);
  return { ...media, schema: inlineSchema(media.schema, components.schemas) };
}
