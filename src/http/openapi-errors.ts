import { refusals, type Refusal } from './openapi-refusals.ts';
import type {
  HeaderObject,
  MediaType,
  Reference,
  ResponseObject,
  Schema,
} from './openapi-types.ts';
import { statusesOf, type Operation } from './operation.ts';

/** The body of every error (contract 1.11). */
export const errorSchema: Schema = {
  type: 'object',
  description: 'An error. errors is there for invalid data only, code where clients branch on it.',
  properties: {
    message: { type: 'string' },
    status_code: { type: 'integer' },
    code: { type: 'string' },
    errors: {
      type: 'object',
      description: 'Field name (dotted path) to sentences.',
      additionalProperties: { type: 'array', items: { type: 'string' }, minItems: 1 },
    },
  },
  required: ['message', 'status_code'],
};

/** The headers that answers refer to. */
export const headers: Record<string, HeaderObject> = {
  'X-Request-Id': {
    description: 'Names the request in our log; the one sent, if it is 8 to 64 of A-Za-z0-9_-.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{8,64}$' },
  },
  Link: {
    description: 'Neighbour pages, rel next and prev (RFC 8288).',
    schema: { type: 'string' },
  },
  'X-Warning': {
    description: 'Names the fields and query parameters that were ignored.',
    schema: { type: 'string' },
  },
  'Idempotent-Replayed': {
    description: 'true on an answer that comes again: the request was carried out before.',
    schema: { type: 'string', enum: ['true'] },
  },
  'WWW-Authenticate': {
    description: 'Bearer; for a missing scope with error and scope.',
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'Seconds to wait.',
    schema: { type: 'integer', minimum: 1 },
  },
  Accept: { description: 'The media type that is taken.', schema: { type: 'string' } },
};

export const headerRef = (name: string): Reference => ({ $ref: `#/components/headers/${name}` });

/** One shared response for each status that a row may answer. */
export const errorResponses: Record<string, ResponseObject> = Object.fromEntries(
  Object.entries(refusals).map(([status, refusal]) => [
    refusal.name,
    {
      description: refusal.description,
      headers: Object.fromEntries(
        ['X-Request-Id', ...(refusal.headers ?? [])].map((name) => [name, headerRef(name)]),
      ),
      content: { 'application/json': mediaOf(Number(status), refusal) },
    },
  ]),
);

function mediaOf(status: number, { reason, examples }: Refusal): MediaType {
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

/** Everything besides success that a row may answer. */
export function refusalsOf(row: Operation): Record<string, Reference> {
  const statuses = new Set([...statusesOf(row), 401, 429, 500, 503]);
  return Object.fromEntries(
    [...statuses].map((status) => {
      const refusal = refusals[status];
      if (!refusal) throw new Error(`no description of status ${status}`);
      return [status, { $ref: `#/components/responses/${refusal.name}` }];
    }),
  );
}
