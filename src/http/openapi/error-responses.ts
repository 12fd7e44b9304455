import { errorStatuses, type Operation } from '../operation.ts';
import { cappedTotalHeader } from '../replies.ts';
import { statusDescriptions, type ErrorDescription } from './error-examples.ts';
import type { HeaderObject, MediaType, Reference, ResponseObject, JsonSchema } from './types.ts';

/** Schema of every error body. */
export const errorSchema: JsonSchema = {
  type: 'object',
  description:
    'An error. errors is present for invalid data, code where clients need to distinguish causes.',
  properties: {
    message: { type: 'string' },
    status_code: { type: 'integer' },
    code: { type: 'string' },
    errors: {
      type: 'object',
      description: 'Messages by field name (dotted path).',
      additionalProperties: { type: 'array', items: { type: 'string' }, minItems: 1 },
    },
  },
  required: ['message', 'status_code'],
};

/** Response headers, as components of the document. */
export const responseHeaders: Record<string, HeaderObject> = {
  'X-Request-Id': {
    description:
      'Id of the request in our log: the one sent, if it has 8 to 64 characters of A-Za-z0-9_-.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{8,64}$' },
  },
  Link: {
    description: 'URLs of the next and previous page, with rel next and prev (RFC 8288).',
    schema: { type: 'string' },
  },
  [cappedTotalHeader]: {
    description:
      'true if more records match than were counted; total and total_pages are then lower bounds.',
    schema: { type: 'string', enum: ['true'] },
  },
  'X-Warning': {
    description: 'Names the fields and query parameters that were ignored.',
    schema: { type: 'string' },
  },
  'X-Bookmark': {
    description:
      'The state of the store that this response shows or made. Send it back to read from a copy that is not older.',
    schema: { type: 'string' },
  },
  'Preference-Applied': {
    description: 'read=nearest if a copy near the caller was allowed to answer.',
    schema: { type: 'string', enum: ['read=nearest'] },
  },
  'Idempotent-Replayed': {
    description: 'true if the request was executed before and this is its stored response.',
    schema: { type: 'string', enum: ['true'] },
  },
  'WWW-Authenticate': {
    description: 'Bearer, with error and scope if a scope is missing.',
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'Seconds to wait before a retry.',
    schema: { type: 'integer', minimum: 1 },
  },
  Accept: { description: 'The accepted media type.', schema: { type: 'string' } },
};

export const headerReference = (name: string): Reference => ({
  $ref: `#/components/headers/${name}`,
});

/** One shared response per error status. */
export const errorResponses: Record<string, ResponseObject> = Object.fromEntries(
  Object.entries(statusDescriptions).map(([status, error]) => [
    error.name,
    {
      description: error.description,
      headers: Object.fromEntries(
        ['X-Request-Id', ...(error.headers ?? [])].map((name) => [name, headerReference(name)]),
      ),
      content: { 'application/json': errorMediaType(Number(status), error) },
    },
  ]),
);

function errorMediaType(status: number, { reason, examples }: ErrorDescription): MediaType {
  return {
    schema: { $ref: '#/components/schemas/Error' },
    examples: Object.fromEntries(
      Object.entries(examples).map(([name, { summary, message, code, errors }]) => [
        name,
        {
          summary,
          value: {
            message: message ?? `${status} ${reason}`,
            status_code: status,
            ...(code !== undefined && { code }),
            ...(errors && { errors }),
          },
        },
      ]),
    ),
  };
}

/** References to all error responses of an operation. */
export function errorReferences(operation: Operation): Record<string, Reference> {
  const statuses = new Set([...errorStatuses(operation), 401, 429, 500, 503]);
  return Object.fromEntries(
    [...statuses].map((status) => {
      const error = statusDescriptions[status];
      if (!error) throw new Error(`no description of status ${status}`);
      return [status, { $ref: `#/components/responses/${error.name}` }];
    }),
  );
}
