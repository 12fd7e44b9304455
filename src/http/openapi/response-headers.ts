import { cappedTotalHeader } from '../cors.ts';
import { acceptsIdempotencyKey, repliesAsShown, isTagged, type Operation } from '../operation.ts';
import { answersQuery } from '../query-method.ts';
import type { HeaderObject, JsonSchema, Reference } from './types.ts';

/** Response headers, as components of the document. */
export const responseHeaders: Record<string, HeaderObject> = {
  'X-Request-Id': {
    description:
      'Id of the request in our log: the one sent, if it has 8 to 64 characters of A-Za-z0-9_-.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{8,64}$' },
  },
  Link: {
    description:
      'URLs of the next and previous page of a list, with rel next and prev (RFC 8288), if they have at most 4 KB together. Under a former alias of the store, the address under its present one, with rel canonical (RFC 6596).',
    schema: { type: 'string' },
  },
  [cappedTotalHeader]: {
    description:
      'true if more records match than were counted; total and total_pages are then lower bounds.',
    schema: { type: 'string', enum: ['true'] },
  },
  'X-Warning': {
    description:
      'Names the fields and query parameters that were ignored, the webhook that a new or changed one duplicates, and what the store is called now if the path has a former alias.',
    schema: { type: 'string' },
  },
  'Idempotent-Replayed': {
    description: 'true if the request was executed before and this is its stored response.',
    schema: { type: 'string', enum: ['true'] },
  },
  'WWW-Authenticate': {
    description: 'Bearer, with error and scope if a scope is missing.',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description:
      'The limits that count this request: the name of each, q requests in w seconds (draft-ietf-httpapi-ratelimit-headers).',
    schema: { type: 'string', examples: ['"credential";q=600;w=60, "store";q=3000;w=60'] },
  },
  RateLimit: {
    description:
      'The limit that refused: its name, r requests left, and t seconds until it admits requests again.',
    schema: { type: 'string', examples: ['"credential";r=0;t=60'] },
  },
  'Retry-After': {
    description: 'Seconds to wait before a retry.',
    schema: { type: 'integer', minimum: 1 },
  },
  ETag: {
    description:
      'Tag of this version of the record or list. Send it in If-None-Match to get 304 while it is current, or that of a record in If-Match to change only this version.',
    schema: { type: 'string' },
  },
  Allow: { description: 'The methods that the path has.', schema: { type: 'string' } },
  Accept: { description: 'The accepted media type.', schema: { type: 'string' } },
  'Accept-Query': {
    description:
      'The formats of the parameters that QUERY takes on this path (RFC 10008): it answers as GET does.',
    schema: { type: 'string', examples: ['application/json, application/x-www-form-urlencoded'] },
  },
  'Accept-Encoding': {
    description: 'The codings of a body that are read (RFC 9110, section 12.5.3).',
    schema: { type: 'string', examples: ['gzip, deflate'] },
  },
};

export const headerReference = (name: string): Reference => ({
  $ref: `#/components/headers/${name}`,
});

/** Returns references to these headers, by name. */
export const headerReferences = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, headerReference(name)]));

/** The headers of a successful response. */
export function successHeaderNames(operation: Operation, schema: JsonSchema): string[] {
  const isPaged = schema.properties?.meta !== undefined;
  return [
    'X-Request-Id',
    'RateLimit-Policy',
    ...(isPaged || operation.isStoreScoped ? ['Link'] : []),
    ...(operation.reply.isPage ? [cappedTotalHeader] : []),
    ...(answersQuery(operation) ? ['Accept-Query'] : []),
    'X-Warning',
    ...(acceptsIdempotencyKey(operation) ? ['Idempotent-Replayed'] : []),
    ...(isTagged(operation) || repliesAsShown(operation) ? ['ETag'] : []),
  ];
}
