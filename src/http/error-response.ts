import type { Context } from 'hono';
import { formatNumber } from '../base/codecs/field-messages.ts';
import type { ErrorCode } from '../base/error-codes.ts';
import {
  ConflictError,
  DatabaseUnavailable,
  type FieldErrors,
  HttpError,
  serviceUnavailable,
} from '../base/errors.ts';
import { log } from '../base/log.ts';
import { serviceOrigin } from '../base/settings.ts';
import type { AppEnv } from './app-env.ts';
import { noteReset } from './database-resets.ts';

/** The response of a request that failed, and its cause for the log. */
export function refuseRequest(error: Error, c: Context<AppEnv>): Response {
  c.error = error;
  return errorResponse(toHttpError(error, c), c);
}

/** The JSON response of an error. */
export function errorResponse(error: HttpError, c: Context<AppEnv>): Response {
  const { status, errors, headers } = error;
  const body = errorBody(error, c);
  return Response.json(
    { ...body, ...(errors && { errors: limitErrors(errors) }) },
    {
      status,
      headers: {
        // An error before the middleware that sets these, such as a group that cannot be loaded,
        // has them, too.
        'X-Request-Id': body.request_id,
        'Cache-Control': 'private, no-store',
        ...headers,
      },
    },
  );
}

/** Where the guide explains a code. */
export const documentationUrl = (origin: string, code: ErrorCode) =>
  `${origin}/docs/guides/errors#${code}`;

/** The members that every error body has. */
export function errorBody({ status, message, code, hint }: HttpError, c: Context<AppEnv>) {
  const { requestId = crypto.randomUUID(), settings } = c.var as Partial<AppEnv['Variables']>;
  return {
    message,
    status_code: status,
    code,
    hint,
    request_id: requestId,
    documentation_url: documentationUrl(serviceOrigin(settings, c.req.url), code),
  };
}

/**
 * How many messages a response has, and how long the name of a field is. A client can send any
 * number of wrong names.
 */
const maxMessages = 100;
const maxNameLength = 80;

/** The first hundred messages. If there are more, `*` says how many. */
function limitErrors(errors: FieldErrors): FieldErrors {
  const all = Object.entries(errors).flatMap(([field, messages]) =>
    messages.map((message) => ({ field: shorten(field), message })),
  );
  const listed = Map.groupBy(all.slice(0, maxMessages), ({ field }) => field);
  const left = all.length - maxMessages;
  return Object.fromEntries([
    ...[...listed].map(([field, named]) => [field, named.map(({ message }) => message)] as const),
    ...(left > 0 ? [['*', [`Leaves out ${formatNumber(left)} more errors.`]] as const] : []),
  ]);
}

const shorten = (field: string) =>
  field.length > maxNameLength ? `${field.slice(0, maxNameLength)}…`.toWellFormed() : field;

/**
 * Maps any error to an `HttpError`. An unexpected error is logged and becomes a 500 without
 * details.
 */
export function toHttpError(error: unknown, c: Context<AppEnv>): HttpError {
  if (error instanceof DatabaseUnavailable) {
    // Nothing is admitted yet when the directory fails.
    const { requestId, operation, admitted } = c.var as Partial<AppEnv['Variables']>;
    const { id: store, shard } = admitted?.db?.store ?? {};
    alertOperator(error, { request_id: requestId, operation, store }, shard);
  }
  if (error instanceof HttpError) return error;
  if (error instanceof ConflictError) return serviceUnavailable();
  log('error', 'request_failed', {
    request_id: c.get('requestId'),
    reason: rootCause(error),
  });
  return new HttpError('internal_error');
}

/** The names of failed work in a line of the log. */
interface FailedWork {
  request_id?: string | undefined;
  operation?: string | undefined;
  store?: number | undefined;
}

/**
 * Logs a failure of a database that only an operator can end; without `shard`, of the directory. A
 * reset names an operation only if that is the cause, and then its caller has to wait for longer.
 */
export function alertOperator(
  { failure, headers }: DatabaseUnavailable,
  work: FailedWork,
  shard?: number,
): void {
  if (failure === 'full') log('error', 'database_full', { alert: true, ...work });
  if (failure !== 'too_heavy') return;
  const database = shard === undefined ? 'directory' : String(shard);
  const name = `${work.store ?? ''}:${work.operation ?? ''}`;
  const { isCause, isFirst } = noteReset(database, name, Date.now());
  if (isCause) {
    headers['Retry-After'] = '60';
    log('error', 'database_too_heavy', { alert: true, ...work });
  } else if (isFirst) log('error', 'database_reset', { alert: true, database });
}

/** The innermost cause only, because Drizzle adds SQL and values to the messages around it. */
function rootCause(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return error.cause ? rootCause(error.cause) : `${error.name}: ${error.message.slice(0, 300)}`;
}
