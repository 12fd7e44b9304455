import { env } from 'cloudflare:workers';
import { documentOf } from '../../src/docs/document.ts';
import type { MediaType } from '../../src/http/openapi-types.ts';
import type { Operation } from '../../src/http/operation.ts';

/** What the document says of a row's body: its schema, and an example that passes it. */
export function publishedBody({ id, path, verb }: Operation): MediaType {
  const { paths } = documentOf(env.SERVICE_NAME, '/v2');
  const media = paths[path]?.[verb.toLowerCase()]?.requestBody?.content['application/json'];
  if (!media) throw new Error(`${id} takes no body`);
  return media;
}
