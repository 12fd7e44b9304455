import { expect } from 'vitest';
import { z } from 'zod';
import { getOpenApiDocument } from '../../../src/docs/openapi-document.ts';
import type { OperationObject, ResponseObject } from '../../../src/http/openapi/types.ts';
import { inlineSchema } from '../api/inline-schema.ts';
import { closeSchema } from '../api/json-schema.ts';

const { paths, components } = getOpenApiDocument('Service', '/v2');

type OAuthPath =
  | '/oauth/authorize'
  | '/oauth/token'
  | '/oauth/revoke'
  | '/oauth/register'
  | '/.well-known/oauth-authorization-server'
  | '/.well-known/oauth-protected-resource/mcp';

/** The documented responses of an endpoint of the authorization server, by status. */
export function documentedResponses(path: OAuthPath): OperationObject['responses'] {
  const [operation] = Object.values(paths[path] ?? {});
  if (!operation) throw new Error(`${path} is not documented`);
  return operation.responses;
}

/**
 * Asserts that a response of such an endpoint is documented: its status, its headers, and its body
 * if that is JSON.
 */
export function expectDocumentedOAuth(
  path: OAuthPath,
  { status, headers, body }: { status: number; headers: Headers; body?: unknown },
) {
  const response = documentedResponses(path)[status] as ResponseObject | undefined;
  expect(response, `${path} ${status}`).toBeDefined();
  for (const name of Object.keys(response?.headers ?? {})) {
    expect(headers.get(name), `${path} ${status} ${name}`).not.toBeNull();
  }
  const media = response?.content?.['application/json'];
  if (!media) return;
  const schema = closeSchema(inlineSchema(media.schema, components.schemas));
  const validator = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  expect(validator.safeParse(body).error?.issues, `${path} ${status}`).toBeUndefined();
}
