import { type CodeOf, type ErrorCode, errorCodes } from './error-codes.ts';
import type { MemberRole } from './roles.ts';

/**
 * Messages by field name (dotted path). Messages are English sentences and never repeat the sent
 * value.
 */
export type FieldErrors = Record<string, string[]>;

/** Reason phrases of HTTP. */
const reasonPhrases: Record<number, string> = {
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition Failed',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  421: 'Misdirected Request',
  422: 'Unprocessable Entity',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** Messages that are not the status and its reason phrase. */
const otherMessages: Record<number, string> = { 401: 'Unauthenticated.', 429: 'Too Many Requests' };

/** The `message` of every error with this status. */
export const messageOf = (status: number) =>
  otherMessages[status] ?? `${status} ${reasonPhrases[status] ?? 'Error'}`;

/**
 * An error with a code, which determines its status. `http/error-response.ts` turns it into the
 * response.
 */
export class HttpError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  /** The hint for the caller, where more is known than the hint of the code says. */
  readonly hint: string;
  readonly errors: FieldErrors | undefined;
  readonly headers: Record<string, string>;

  /** `status` is that of an operation which has its own for this code. */
  constructor(
    code: ErrorCode,
    options: {
      status?: number;
      hint?: string;
      errors?: FieldErrors | undefined;
      headers?: Record<string, string>;
    } = {},
  ) {
    const [status, hint] = errorCodes[code];
    super(messageOf(options.status ?? status));
    this.code = code;
    this.status = options.status ?? status;
    this.hint = options.hint ?? hint;
    this.errors = options.errors;
    this.headers = options.headers ?? {};
  }
}

/**
 * Invalid data in a body. Each operation has its own status for it (400 or 422), which
 * `http/run-operation.ts` chooses.
 */
export class ValidationError extends Error {
  readonly errors: FieldErrors;

  constructor(errors: FieldErrors) {
    super('invalid body');
    this.errors = errors;
  }
}

/**
 * A page or form of a store that the role of the signed-in member does not allow. Pages show it as
 * a 403.
 */
export class RoleError extends Error {
  /** The least role that is allowed. */
  readonly wanted: MemberRole;

  constructor(wanted: RoleError['wanted']) {
    super('role');
    this.wanted = wanted;
  }
}

/** A form that no page of this service sent. Only pages meet it, so it has no code. */
export class ForeignFormError extends Error {}

/** A partner has as many test stores as one may have. Only pages meet it, so it has no code. */
export class TooManyTestStores extends Error {}

/**
 * A user has as many stores as one may have, or made as many today. Only pages meet it, so it has
 * no code.
 */
export class TooManyStores extends Error {
  /** The wait in seconds; absent where no wait helps. */
  readonly seconds: number | undefined;

  constructor(seconds?: number) {
    super('too many stores');
    this.seconds = seconds;
  }
}

/** A user made as many stores as one may make in a day; `createStore` adds the wait. */
export class TooManyStoresToday extends Error {}

/**
 * A user has connected an assistant to a store as often as one may. Only pages meet it, so it has
 * no code.
 */
export class TooManyGrants extends Error {}

/**
 * A lost optimistic lock: the record changed after it was read. A retry from the read on may
 * succeed.
 */
export class ConflictError extends Error {}

/**
 * A record is no longer what the precondition of a request saw. Nothing was changed. No
 * {@link ConflictError}: to decide again needs the precondition, not only the record.
 */
export class RecordChanged extends Error {}

/** A change that was only tried would work; its batch undid itself. */
export class DryRunEnded extends Error {}

/** A concurrent request committed first with the same idempotency key. */
export class IdempotencyKeyInUse extends Error {}

/** Credentials that are wrong, expired or revoked; nothing says which. */
export const unauthenticated = (
  code: CodeOf<401> = 'unauthenticated',
  details: { errors?: FieldErrors; hint?: string } = {},
) => new HttpError(code, { ...details, headers: { 'WWW-Authenticate': 'Bearer' } });

/** For a store that is unknown, inactive, or not the caller's: nothing says which. */
export const storeNotAccessible = () => new HttpError('store_not_accessible');

/**
 * For a caller who lacks scopes; names all of them, as RFC 6750 section 3 says, so that one consent
 * is enough.
 */
export function insufficientScope(
  missing: string | readonly string[],
  holder: 'app' | 'api-key' = 'app',
) {
  const scopes = [...new Set([missing].flat())];
  const noun = scopes.length === 1 ? 'scope' : 'scopes';
  const names = scopes.join(', ');
  return new HttpError('insufficient_scope', {
    errors: { scope: scopes.map((scope) => `Requires ${scope}.`) },
    ...(holder === 'app'
      ? {
          hint: `Let the merchant authorize the app again with the ${noun} ${names}.`,
          headers: {
            'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scopes.join(' ')}"`,
          },
        }
      : {
          hint: `Use an API key with the ${noun} ${names}, of a member whose role allows it: a viewer only reads.`,
        }),
  });
}

/** The record of the path does not exist. */
export const notFound = () => new HttpError('not_found');

/** Ids of the body name no records. */
export const unknownReference = (errors: FieldErrors) =>
  new HttpError('unknown_reference', { errors });

/** For a path that does not exist; `hint` says what is wrong with it, where that is known. */
export const unknownPath = (hint?: string) =>
  new HttpError('unknown_path', hint === undefined ? {} : { hint });

export const methodNotAllowed = (allow: string, others: Readonly<Record<string, string>> = {}) =>
  new HttpError('method_not_allowed', {
    hint: `Use one of the methods of this path: ${allow}.`,
    headers: { Allow: allow, ...others },
  });

export const conflict = (code: CodeOf<409>, errors?: FieldErrors) =>
  new HttpError(code, { errors });

/** For an alias that another store has or had. */
export const aliasTaken = () =>
  conflict('alias_taken', { alias: ['Is or was the alias of another store.'] });

/** For a host that this deployment does not serve. */
export const misdirectedRequest = (errors: FieldErrors) =>
  new HttpError('misdirected_request', { errors });

/** For data that was deleted after its retention period. */
export const gone = (errors: FieldErrors) => new HttpError('gone', { errors });

/** A limit: `quota` units in `seconds`. Without `unit`, it counts requests. */
export interface RatePolicy {
  name: string;
  quota: number;
  seconds: number;
  unit?: string;
}

/** An item of the header `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers). */
export const formatPolicy = ({ name, quota, seconds, unit }: RatePolicy) =>
  `"${name}";q=${quota}${unit === undefined ? '' : `;qu="${unit}"`};w=${seconds}`;

/** Headers of a 429: which policy refuses, and after how many seconds it admits requests again. */
export const rateLimitHeaders = (policy: RatePolicy, wait: number) => ({
  'Retry-After': String(wait),
  'RateLimit-Policy': formatPolicy(policy),
  RateLimit: `"${policy.name}";r=0;t=${wait}`,
});

/** The quota of a policy is used up, at most until its window ends. */
export const tooManyRequests = (policy: RatePolicy) =>
  new HttpError('rate_limited', {
    hint: `Wait ${policy.seconds} seconds, then send fewer requests at once.`,
    headers: rateLimitHeaders(policy, policy.seconds),
  });

/** The minimum pause between two advances of the clock of a test store. */
export const clockPolicy: RatePolicy = { name: 'test-clock', quota: 1, seconds: 10 };

/** The largest response in bytes. */
export const maxAnswerBytes = 6 * 1024 * 1024;

/** For a read whose response would be larger. */
export const answerTooLarge = () =>
  new HttpError('answer_too_large', {
    errors: {
      limit: ['The answer would be larger than 6 MiB. Ask for fewer records, or include less.'],
    },
  });

/** For a list that would have to sort more than 10,000 records, since no index has its order. */
export const listTooLong = () =>
  new HttpError('list_too_long', {
    errors: {
      orderBy: [
        'Too many records to sort in this order: at most 10,000. Add a filter, or order by id.',
      ],
    },
  });

/**
 * The store has recorded as many bytes of events as it may on one day, and its present turn is
 * full. The next one begins in `seconds`.
 */
export const eventBudgetExceeded = (seconds: number) =>
  new HttpError('event_budget', { headers: { 'Retry-After': String(seconds) } });

export const isEventBudgetError = (error: unknown): error is HttpError =>
  error instanceof HttpError && error.code === 'event_budget';

/** Headers of a 503 that a repetition soon may not meet again. */
const soon = { 'Retry-After': '2' };

export const serviceUnavailable = () => new HttpError('unavailable', { headers: soon });

/**
 * The data of the store are not, or no longer, in the shard of a batch, or the caller's knowledge
 * of the store is old. Nothing was read or changed. The caller must renew its knowledge from the
 * directory's primary; an error that is not handled becomes a 503.
 */
export class StoreElsewhere extends HttpError {
  constructor() {
    super('unavailable', { headers: soon });
  }
}

/** The kinds of failures of a database (`data/core/data-errors.ts`). */
export type DatabaseFailure =
  | 'not_run'
  | 'unknown'
  | 'silent'
  | 'overloaded'
  | 'too_heavy'
  | 'full';

/**
 * A 503 because of a database. One that is full has a code of its own: a repetition cannot help
 * soon.
 */
export class DatabaseUnavailable extends HttpError {
  readonly failure: DatabaseFailure;

  /** `cause` is the error of the database, for the log. */
  constructor(failure: DatabaseFailure, cause?: unknown) {
    const isFull = failure === 'full';
    super(isFull ? 'storage_full' : 'unavailable', {
      headers: isFull ? { 'Retry-After': '60' } : { ...soon },
    });
    this.failure = failure;
    this.cause = cause;
  }

  /**
   * Whether the same work may run again. `isRepeatable` work reads only, or recognises its own
   * commit.
   */
  mayRepeat(isRepeatable: boolean): boolean {
    return this.failure === 'not_run' || (this.failure === 'unknown' && isRepeatable);
  }
}
