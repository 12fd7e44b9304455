/** Field name (dotted path) to English sentences; never repeats what was sent. */
export type FieldErrors = Record<string, string[]>;

const reasons: Record<number, string> = {
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  410: 'Gone',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Entity',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** An answer that is not the one asked for. `http/refuse` makes the response of it. */
export class Problem extends Error {
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
    super(options.message ?? `${status} ${reasons[status] ?? 'Error'}`);
    this.status = status;
    this.errors = options.errors;
    this.headers = options.headers ?? {};
    this.code = options.code;
  }
}

/** Invalid data in a body. Its status (400 or 422) is a matter of the row, so `http/mount` chooses it. */
export class InvalidBody extends Error {
  readonly errors: FieldErrors;

  constructor(errors: FieldErrors) {
    super('invalid body');
    this.errors = errors;
  }
}

/** Another writer changed the record after it was read; reading and deciding again may succeed. */
export class StaleRevision extends Error {}

/** Another request with the same idempotency key was carried out meanwhile. */
export class KeyTaken extends Error {}

export const unauthenticated = () =>
  new Problem(401, { message: 'Unauthenticated.', headers: { 'WWW-Authenticate': 'Bearer' } });

export const forbidden = () => new Problem(403);

export const outOfScope = (scope: string) =>
  new Problem(403, {
    errors: { scope: [`Needs ${scope}.`] },
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  });

export const notFound = (errors?: FieldErrors) => new Problem(404, errors ? { errors } : {});

export const methodNotAllowed = (allow: string) => new Problem(405, { headers: { Allow: allow } });

export const conflict = (code: string, errors?: FieldErrors) =>
  new Problem(409, errors ? { code, errors } : { code });

/** What was there once and is kept no longer. */
export const gone = (errors?: FieldErrors) => new Problem(410, errors ? { errors } : {});

/** `seconds` is the window of the limiter: after it a request is let through again. */
export const tooManyRequests = (seconds: number) =>
  new Problem(429, {
    message: 'Too Many Requests',
    headers: { 'Retry-After': String(seconds) },
  });

export const unavailable = () => new Problem(503, { headers: { 'Retry-After': '2' } });
