import { env } from 'cloudflare:workers';
import { getOpenApiDocument } from '../../../src/docs/openapi-document.ts';
import type { MediaType } from '../../../src/http/openapi/types.ts';
import type { Operation } from '../../../src/http/operation.ts';

/** Returns the documented request body of an operation: its schema and a valid example. */
export function publishedBody({ id, path, method }: Operation): MediaType {
  const { paths } = getOpenApiDocument(env.SERVICE_NAME, '/v2');
  const media = paths[path]?.[method.toLowerCase()]?.requestBody?.content['application/json'];
  if (!media) throw new Error(`${id} takes no body`);
  return media;
}
