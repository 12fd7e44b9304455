import type { FieldErrors } from '../problem.ts';

interface Example {
  summary: string;
  message?: string;
  code?: string;
  errors?: FieldErrors;
}

/** What a status means, with one example of each of its causes. */
export interface Refusal {
  /** Name of the shared response. */
  name: string;
  /** The reason phrase, part of the message. */
  reason: string;
  description: string;
  headers?: string[];
  examples: Record<string, Example>;
}

/** The errors by example (contract 6), by status. */
export const refusals: Record<number, Refusal> = {
  400: {
    name: 'BadRequest',
    reason: 'Bad Request',
    description: 'The query, the path or the body is malformed.',
    examples: {
      query: {
        summary: 'Malformed value of a query parameter',
        errors: { limit: ['Must be a whole number from 1.'] },
      },
      json: { summary: 'Body is not JSON', errors: { body: ['Must be valid JSON.'] } },
      id: { summary: 'Bad id in the path', errors: { id: ['Must be a positive whole number.'] } },
      field: {
        summary: 'Invalid field, on rows without 422',
        errors: { url: ['Must be an absolute http or https URL.'] },
      },
      key: {
        summary: 'Malformed idempotency key',
        errors: { 'Idempotency-Key': ['Must be 1 to 255 printable ASCII characters.'] },
      },
    },
  },
  401: {
    name: 'Unauthenticated',
    reason: 'Unauthorized',
    description: 'Credentials are missing, wrong, expired or revoked, or two kinds came at once.',
    headers: ['WWW-Authenticate'],
    examples: { credentials: { summary: 'No usable credentials', message: 'Unauthenticated.' } },
  },
  403: {
    name: 'Forbidden',
    reason: 'Forbidden',
    description: 'The store is not yours to reach or inactive, or the token lacks the scope.',
    headers: ['WWW-Authenticate'],
    examples: {
      store: { summary: 'Store out of reach' },
      scope: { summary: 'Outside the scope', errors: { scope: ['Needs catalog.write.'] } },
    },
  },
  404: {
    name: 'NotFound',
    reason: 'Not Found',
    description: 'No such record in this store.',
    examples: { record: { summary: 'No such record' } },
  },
  409: {
    name: 'Conflict',
    reason: 'Conflict',
    description:
      'The state of the record does not allow it, or the same request was carried out; code says why.',
    headers: ['Retry-After'],
    examples: {
      state: {
        summary: 'Another writer was first',
        code: 'quantity_changed',
        errors: { expected_quantity: ['Must be the quantity that is stored.'] },
      },
      underWay: {
        summary: 'Idempotency key of a request whose answer comes in a moment',
        code: 'request_under_way',
        errors: { 'Idempotency-Key': ['The change was made; its answer is on its way.'] },
      },
      lost: {
        summary: 'Idempotency key of a request whose answer was lost',
        code: 'answer_lost',
        errors: { 'Idempotency-Key': ['This request was carried out; its answer is not kept.'] },
      },
    },
  },
  410: {
    name: 'Gone',
    reason: 'Gone',
    description: 'It was there, and is kept no longer.',
    examples: {
      purged: {
        summary: 'The body of an event is past its time',
        errors: { seq: ['The body of this delivery is kept no longer.'] },
      },
    },
  },
  413: {
    name: 'PayloadTooLarge',
    reason: 'Payload Too Large',
    description: 'The body is larger than 1 MiB.',
    examples: { size: { summary: 'Over 1,048,576 bytes' } },
  },
  415: {
    name: 'UnsupportedMediaType',
    reason: 'Unsupported Media Type',
    description: 'The body is not JSON by its media type.',
    headers: ['Accept'],
    examples: { type: { summary: 'Not application/json' } },
  },
  422: {
    name: 'UnprocessableEntity',
    reason: 'Unprocessable Entity',
    description:
      'Fields are missing or invalid, all of them reported together, or the idempotency key is of another request.',
    examples: {
      fields: {
        summary: 'Invalid fields',
        errors: {
          name: ['Required.'],
          'items.0.quantity': ['Must be a whole number from 1 to 10,000.'],
        },
      },
      key: {
        summary: 'Idempotency key of another request',
        code: 'key_reused',
        errors: { 'Idempotency-Key': ['Came with another request before.'] },
      },
    },
  },
  429: {
    name: 'TooManyRequests',
    reason: 'Too Many Requests',
    description: 'Over the rate limit.',
    headers: ['Retry-After'],
    examples: { limit: { summary: 'Over the limit', message: 'Too Many Requests' } },
  },
  500: {
    name: 'InternalServerError',
    reason: 'Internal Server Error',
    description: 'Our fault. Name the request id when you report it.',
    examples: { fault: { summary: 'Our fault' } },
  },
  503: {
    name: 'ServiceUnavailable',
    reason: 'Service Unavailable',
    description: 'The database did not answer in time.',
    headers: ['Retry-After'],
    examples: { database: { summary: 'Try again' } },
  },
};
