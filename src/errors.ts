/** Messages by field name (dotted path). Messages are English sentences and never repeat the sent value. */
export type FieldErrors = Record<string, string[]>;

const reasonPhrases: Record<number, string> = {
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  410: 'Gone',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  421: 'Misdirected Request',
  422: 'Unprocessable Entity',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** An error with an HTTP status. `http/error-response.ts` turns it into the response. */
export class HttpError extends Error {
  readonly status: number;
  readonly errors: FieldErrors | undefined;
  readonly headers: Record<string, string>;
  readonly code: string | undefined;

  constructor(
    status: number,
    options: {
      message?: string;
      errors?: FieldErrors;
      headers?: Record<string, string>;
      code?: string;
    } = {},
  ) {
    super(options.message ?? `${status} ${reasonPhrases[status] ?? 'Error'}`);
    this.status = status;
    this.errors = options.errors;
    this.headers = options.headers ?? {};
    this.code = options.code;
  }
}

/** Invalid data in a body. Each operation has its own status for it (400 or 422), which `http/run-operation.ts` chooses. */
export class ValidationError extends Error {
  readonly errors: FieldErrors;

  constructor(errors: FieldErrors) {
    super('invalid body');
    this.errors = errors;
  }
}

/** A lost optimistic lock: the record changed after it was read. A retry from the read on may succeed. */
export class ConflictError extends Error {}

/** A concurrent request committed first with the same idempotency key. */
export class IdempotencyKeyInUse extends Error {}

/** `errors` names headers that are missing. */
export const unauthenticated = (errors?: FieldErrors) =>
  new HttpError(401, {
    message: 'Unauthenticated.',
    headers: { 'WWW-Authenticate': 'Bearer' },
    ...(errors && { errors }),
  });

export const forbidden = () => new HttpError(403);

export const insufficientScope = (scope: string) =>
  new HttpError(403, {
    errors: { scope: [`Requires ${scope}.`] },
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  });

export const notFound = (errors?: FieldErrors) => new HttpError(404, errors ? { errors } : {});

export const methodNotAllowed = (allow: string) =>
  new HttpError(405, { headers: { Allow: allow } });

export const conflict = (code: string, errors?: FieldErrors) =>
  new HttpError(409, errors ? { code, errors } : { code });

/** For a host that this deployment does not serve. */
export const misdirectedRequest = (errors: FieldErrors) => new HttpError(421, { errors });

/** For data that was deleted after its retention period. */
export const gone = (errors?: FieldErrors) => new HttpError(410, errors ? { errors } : {});

/** `seconds` is the window of the limiter, sent as `Retry-After`. */
export const tooManyRequests = (seconds: number) =>
  new HttpError(429, {
    message: 'Too Many Requests',
    headers: { 'Retry-After': String(seconds) },
  });

/** The largest response in bytes. */
export const maxAnswerBytes = 6 * 1024 * 1024;

/** For a read whose response would be larger. */
export const answerTooLarge = () =>
  new HttpError(400, {
    errors: {
      limit: ['The answer would be larger than 6 MiB. Ask for fewer records, or include less.'],
    },
  });

/** For a list that would have to sort more than 10,000 records, since no index has its order. */
export const listTooLong = () =>
  new HttpError(400, {
    errors: {
      orderBy: [
        'Too many records to sort in this order: at most 10,000. Add a filter, or order by id.',
      ],
    },
  });

const eventBudgetCode = 'event_budget';

/** The store has recorded as many bytes of events as it may on one day, which ends in `seconds`. */
export const eventBudgetExceeded = (seconds: number) =>
  new HttpError(429, {
    message: 'Too Many Requests',
    code: eventBudgetCode,
    headers: { 'Retry-After': String(seconds) },
  });

export const isEventBudgetError = (error: unknown) =>
  error instanceof HttpError && error.code === eventBudgetCode;

export const serviceUnavailable = () => new HttpError(503, { headers: { 'Retry-After': '2' } });

/**
 * The shard of a batch is not, or no longer, where the data of the store are, or the caller's knowledge of the store is old.
 * Nothing was read or changed. The knowledge must be renewed from the directory's primary; a 503 where nobody does.
 */
export class StoreElsewhere extends HttpError {
  constructor() {
    super(503, { headers: { 'Retry-After': '2' } });
  }
}

/** What a failure of a database says (`db/core/database-failures.ts`). */
export type DatabaseFailure = 'not_run' | 'unknown' | 'overloaded' | 'too_heavy' | 'full';

/** A 503 because of a database. One that is full has a code of its own: a repetition cannot help soon. */
export class DatabaseUnavailable extends HttpError {
  readonly failure: DatabaseFailure;

  constructor(failure: DatabaseFailure) {
    const needsPerson = failure === 'full' || failure === 'too_heavy';
    super(503, {
      headers: { 'Retry-After': needsPerson ? '60' : '2' },
      ...(failure === 'full' && { code: 'storage_full' }),
    });
    this.failure = failure;
  }

  /** Whether the same work may run again. `isRepeatable` work reads only, or recognises its own commit. */
  mayRepeat(isRepeatable: boolean): boolean {
    return this.failure === 'not_run' || (this.failure === 'unknown' && isRepeatable);
  }
}
