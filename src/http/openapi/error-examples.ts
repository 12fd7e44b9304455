import type { FieldErrors } from '../../errors.ts';

interface ErrorExample {
  summary: string;
  message?: string;
  code?: string;
  errors?: FieldErrors;
}

/** The meaning of an error status, with one example per cause. */
export interface ErrorDescription {
  /** Name of the shared response. */
  name: string;
  /** The reason phrase of HTTP, part of the message. */
  reason: string;
  description: string;
  headers?: string[];
  examples: Record<string, ErrorExample>;
}

/** Error descriptions by status. */
export const statusDescriptions: Record<number, ErrorDescription> = {
  400: {
    name: 'BadRequest',
    reason: 'Bad Request',
    description: 'The query, the path or the body is malformed.',
    examples: {
      query: {
        summary: 'Malformed value of a query parameter',
        errors: { limit: ['Must be a whole number from 1.'] },
      },
      parameter: {
        summary: 'Unknown query parameter in a strict request',
        errors: { colour: ['Unknown parameter.'] },
      },
      json: { summary: 'Body is not JSON', errors: { body: ['Must be valid JSON.'] } },
      id: { summary: 'Bad id in the path', errors: { id: ['Must be a positive whole number.'] } },
      field: {
        summary: 'Invalid field, where the operation has no 422',
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
    description:
      'Credentials are missing, wrong, expired or revoked, or both kinds were sent. errors names a header that is missing.',
    headers: ['WWW-Authenticate'],
    examples: {
      credentials: { summary: 'No valid credentials', message: 'Unauthenticated.' },
      header: {
        summary: 'A header is missing',
        message: 'Unauthenticated.',
        errors: { 'User-Secret-Key': ['Required.'] },
      },
    },
  },
  403: {
    name: 'Forbidden',
    reason: 'Forbidden',
    description:
      'You have no access to the store, the store is inactive, or the token lacks a scope: of the operation, of an include, or of a field of the body.',
    headers: ['WWW-Authenticate'],
    examples: {
      store: { summary: 'No access to the store' },
      scope: { summary: 'Missing scope', errors: { scope: ['Requires catalog.write.'] } },
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
      'The state of the record does not allow the change, or the request was already executed. code names the reason.',
    headers: ['Retry-After'],
    examples: {
      state: {
        summary: 'The record changed meanwhile',
        code: 'quantity_changed',
        errors: { expected_quantity: ['Must be the stored quantity.'] },
      },
      underWay: {
        summary: 'The request was executed and its response is not stored yet',
        code: 'request_under_way',
        errors: {
          'Idempotency-Key': [
            'This request was executed; its response is not stored yet. Try again.',
          ],
        },
      },
      lost: {
        summary: 'The request was executed and its response was lost',
        code: 'answer_lost',
        errors: {
          'Idempotency-Key': ['This request was executed, but its response is not stored.'],
        },
      },
    },
  },
  410: {
    name: 'Gone',
    reason: 'Gone',
    description: 'The record existed and was deleted after its retention period.',
    examples: {
      purged: {
        summary: 'The body of an event was deleted after its retention period',
        errors: { seq: ['The body of this event has been deleted.'] },
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
    description: 'The media type of the body is not JSON.',
    headers: ['Accept'],
    examples: { type: { summary: 'Not application/json' } },
  },
  422: {
    name: 'UnprocessableEntity',
    reason: 'Unprocessable Entity',
    description:
      'Fields are missing or invalid (all are reported together), or the idempotency key was used for a different request.',
    examples: {
      fields: {
        summary: 'Invalid fields',
        errors: {
          name: ['Required.'],
          'items.0.quantity': ['Must be a whole number from 1 to 10,000.'],
        },
      },
      key: {
        summary: 'Idempotency key of a different request',
        code: 'key_reused',
        errors: { 'Idempotency-Key': ['This key was already used for a different request.'] },
      },
    },
  },
  429: {
    name: 'TooManyRequests',
    reason: 'Too Many Requests',
    description:
      'A rate limit of the credential or of the store is exceeded. A request with `search` counts as five. With the code event_budget, the change would make an event, and the store has recorded as many bytes of events as it may on one day (UTC).',
    headers: ['Retry-After'],
    examples: {
      limit: { summary: 'Rate limit exceeded', message: 'Too Many Requests' },
      budget: {
        summary: 'The events of the day have used up their budget',
        message: 'Too Many Requests',
        code: 'event_budget',
      },
    },
  },
  500: {
    name: 'InternalServerError',
    reason: 'Internal Server Error',
    description: 'An error on our side. Include the request id when you report it.',
    examples: { fault: { summary: 'Error on our side' } },
  },
  503: {
    name: 'ServiceUnavailable',
    reason: 'Service Unavailable',
    description:
      'The database is temporarily unavailable. Retry the request. With the code storage_full it takes no more data, and we have been told.',
    headers: ['Retry-After'],
    examples: {
      database: { summary: 'Try again' },
      full: { summary: 'The database has no room left', code: 'storage_full' },
    },
  },
};
