import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { ConflictError, HttpError, serviceUnavailable } from '../errors.ts';
import { log } from '../log.ts';

/** The JSON response of an error: `message`, `status_code` and, where present, `code` and `errors`. */
export function errorResponse({ status, message, errors, code, headers }: HttpError): Response {
  return Response.json({ message, status_code: status, code, errors }, { status, headers });
}

/** Maps any error to an `HttpError`. An unexpected error is logged and becomes a 500 without details. */
export function toHttpError(error: unknown, c: Context): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof ConflictError) return serviceUnavailable();
  if (error instanceof HTTPException) return new HttpError(error.status);
  log('error', 'request_failed', {
    request_id: c.get('requestId'),
    reason: rootCause(error),
  });
  return new HttpError(500);
}

/** The innermost cause only, because Drizzle adds SQL and values to the messages around it. */
function rootCause(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return error.cause ? rootCause(error.cause) : `${error.name}: ${error.message.slice(0, 300)}`;
}
