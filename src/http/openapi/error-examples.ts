import type { ErrorCode } from '../../base/error-codes.ts';
import type { FieldErrors } from '../../base/errors.ts';

interface ErrorExample {
  summary: string;
  code: ErrorCode;
  /** Where it is not the hint of the code. */
  hint?: string;
  errors?: FieldErrors;
}

/** The meaning of an error status, with one example per cause. */
export interface ErrorDescription {
  /** Name of the shared response. */
  name: string;
  description: string;
  headers?: string[];
  examples: Record<string, ErrorExample>;
}

/** Error descriptions by status. */
export const statusDescriptions: Record<number, ErrorDescription> = {
  400: {
    name: 'BadRequest',
    description: 'The query, the path or the body is malformed.',
    examples: {
      query: {
        summary: 'Malformed value of a query parameter',
        code: 'invalid_query',
        errors: { limit: ['Must be a whole number from 1.'] },
      },
      parameter: {
        summary: 'Unknown query parameter in a strict request',
        code: 'invalid_query',
        errors: { colour: ['Unknown parameter.'] },
      },
      json: {
        summary: 'Body is not JSON',
        code: 'malformed_body',
        errors: {
          body: ['Must be valid JSON.', 'At line 3, column 18: there is a comma too many.'],
        },
      },
      id: {
        summary: 'Bad id in the path',
        code: 'invalid_id',
        errors: { id: ['Must be a positive whole number.'] },
      },
      field: {
        summary: 'Invalid field, where the operation has no 422',
        code: 'invalid_body',
        errors: { url: ['Must be an absolute http or https URL.'] },
      },
      key: {
        summary: 'Malformed idempotency key',
        code: 'invalid_idempotency_key',
        errors: { 'Idempotency-Key': ['Must be 1 to 255 printable ASCII characters.'] },
      },
    },
  },
  401: {
    name: 'Unauthenticated',
    description:
      'Credentials are missing, wrong, expired or revoked, or both kinds were sent. errors names a missing header.',
    headers: ['WWW-Authenticate'],
    examples: {
      credentials: { summary: 'No valid credentials', code: 'unauthenticated' },
      header: {
        summary: 'A header is missing',
        code: 'credentials_incomplete',
        hint: 'User-Secret-Key is missing: send both parts of the API key.',
        errors: { 'User-Secret-Key': ['Required.'] },
      },
    },
  },
  403: {
    name: 'Forbidden',
    description:
      'You have no access to the store, it is inactive, or the token lacks a scope: of the operation, an include, or a field.',
    headers: ['WWW-Authenticate'],
    examples: {
      store: { summary: 'No access to the store', code: 'store_not_accessible' },
      scope: {
        summary: 'Missing scope',
        code: 'insufficient_scope',
        hint: 'Let the merchant authorize the app again with the scope catalog.write.',
        errors: { scope: ['Requires catalog.write.'] },
      },
    },
  },
  404: {
    name: 'NotFound',
    description: 'No such record in this store.',
    examples: {
      record: { summary: 'No such record', code: 'not_found' },
      reference: {
        summary: 'An id in the body names no record',
        code: 'unknown_reference',
        errors: { 'items.1.sku_id': ['No such SKU in this store.'] },
      },
    },
  },
  409: {
    name: 'Conflict',
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
    description: 'The record existed and was deleted after its retention period.',
    examples: {
      purged: {
        summary: 'The body of an event was deleted after its retention period',
        code: 'gone',
        errors: { seq: ['The body of this event has been deleted.'] },
      },
    },
  },
  412: {
    name: 'PreconditionFailed',
    description:
      'The record changed since you read it: If-Match does not hold its current ETag. Nothing was changed.',
    headers: ['ETag'],
    examples: {
      changed: {
        summary: 'Another caller changed the record meanwhile',
        code: 'precondition_failed',
      },
    },
  },
  413: {
    name: 'PayloadTooLarge',
    description: 'The body is larger than 1 MiB, also without its Content-Encoding.',
    examples: { size: { summary: 'Over 1,048,576 bytes', code: 'body_too_large' } },
  },
  415: {
    name: 'UnsupportedMediaType',
    description:
      'The media type of the body is not JSON, or its Content-Encoding is neither gzip nor deflate.',
    headers: ['Accept', 'Accept-Encoding'],
    examples: {
      type: { summary: 'Not application/json', code: 'unsupported_media_type' },
      coding: {
        summary: 'Compressed in another way',
        code: 'unsupported_media_type',
        hint: 'Send the body as it is, or with one Content-Encoding of gzip, deflate.',
      },
    },
  },
  421: {
    name: 'MisdirectedRequest',
    description:
      'Only from a local service: it was called by a host name that is neither this machine nor one of LOCAL_HOSTS.',
    examples: {
      host: {
        summary: 'Unknown host name',
        code: 'misdirected_request',
        errors: { host: ['Must be a loopback address or one of LOCAL_HOSTS.'] },
      },
    },
  },
  422: {
    name: 'UnprocessableEntity',
    description:
      'Fields are missing or invalid (all at once), or the idempotency key was used for a different request.',
    examples: {
      fields: {
        summary: 'Invalid fields',
        code: 'invalid_body',
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
    description:
      'A rate limit of the credential or of the store is exceeded. A request with `search` counts as five, a bulk change as twenty. With the code event_budget, the store is beyond its budget of the day (UTC), and calls for many records wait for seconds.',
    headers: ['Retry-After', 'RateLimit'],
    examples: {
      limit: {
        summary: 'Rate limit exceeded',
        code: 'rate_limited',
        hint: 'Wait 60 seconds, then send fewer requests at once.',
      },
      budget: {
        summary: 'The events of the day have used up their budget',
        code: 'event_budget',
      },
    },
  },
  500: {
    name: 'InternalServerError',
    description: 'An error on our side. Include the request id when you report it.',
    examples: { fault: { summary: 'Error on our side', code: 'internal_error' } },
  },
  503: {
    name: 'ServiceUnavailable',
    description:
      'The database is unavailable for now: retry. With the code storage_full it takes no more data, and operators know.',
    headers: ['Retry-After'],
    examples: {
      database: { summary: 'Try again', code: 'unavailable' },
      full: { summary: 'The database has no room left', code: 'storage_full' },
    },
  },
};
