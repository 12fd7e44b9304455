import { errorCodes } from '../../base/error-codes.ts';
import { messageOf } from '../../base/errors.ts';
import { documentationUrl } from '../error-response.ts';
import { errorStatuses, type Operation } from '../operation.ts';
import type { DocumentTexts } from './document-texts.ts';
import { statusDescriptions, type ErrorDescription } from './error-examples.ts';
import { headerReferences } from './response-headers.ts';
import type { MediaType, Reference, ResponseObject, JsonSchema } from './types.ts';

/** Schema of the `code` of an error. `meanings` has a text for each. */
export const errorCodeSchema = (meanings: DocumentTexts['errorCodes']): JsonSchema => ({
  type: 'string',
  enum: Object.keys(errorCodes),
  description:
    'What went wrong, for programs: branch on it, never on message or hint. Codes are added in time, so treat an unknown one by its status.',
  'x-enumDescriptions': meanings,
});

/** Schema of every error body. */
export const errorSchema: JsonSchema = {
  type: 'object',
  description: 'Why a request was refused, and what to do about it.',
  properties: {
    message: {
      type: 'string',
      description: 'The status and its reason phrase; Unauthenticated. for 401.',
    },
    status_code: { type: 'integer', description: 'The HTTP status of the response.' },
    code: {
      $ref: '#/components/schemas/ErrorCode',
      description: 'What went wrong, for programs: branch on it, never on message or hint.',
    },
    errors: {
      type: 'object',
      description:
        'Sentences by what they are about: a field of the body (dotted path), a query parameter or a header. At most 100; * then says how many were left out.',
      additionalProperties: {
        type: 'array',
        items: { type: 'string', description: 'What is expected; it never repeats what was sent.' },
        minItems: 1,
        description: 'All that is wrong with this one.',
      },
    },
    hint: { type: 'string', description: 'What to do, in one sentence for a developer.' },
    request_id: {
      type: 'string',
      description: 'The X-Request-Id of this response, under which our log has the request.',
    },
    documentation_url: {
      type: 'string',
      format: 'uri',
      description: 'The place in the guide that explains the code.',
    },
  },
  required: ['message', 'status_code', 'code', 'hint', 'request_id', 'documentation_url'],
};

/** One shared response per error status. `origin` is where the guide is. */
export const errorResponses = (origin: string): Record<string, ResponseObject> =>
  Object.fromEntries(
    Object.entries(statusDescriptions).map(([status, error]) => [
      error.name,
      {
        description: error.description,
        headers: headerReferences(['X-Request-Id', 'RateLimit-Policy', ...(error.headers ?? [])]),
        content: { 'application/json': errorMediaType(Number(status), error, origin) },
      },
    ]),
  );

function errorMediaType(status: number, { examples }: ErrorDescription, origin: string): MediaType {
  return {
    schema: { $ref: '#/components/schemas/Error' },
    examples: Object.fromEntries(
      Object.entries(examples).map(([name, { summary, code, hint, errors }]) => [
        name,
        {
          summary,
          value: {
            message: messageOf(status),
            status_code: status,
            code,
            ...(errors && { errors }),
            hint: hint ?? errorCodes[code][1],
            request_id: '0b4f0d4e-6b0c-4c26-9a53-6d2f0a4f7c11',
            documentation_url: documentationUrl(origin, code),
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
