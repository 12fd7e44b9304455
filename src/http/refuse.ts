import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { Problem, StaleRevision, unavailable } from '../problem.ts';
import { log } from '../log.ts';

/** The response of a problem (contract 1.11): `message`, `status_code` and, for invalid data, `errors`. */
export function refuse(problem: Problem): Response {
  const { status, message, errors, code, headers, more } = problem;
  return Response.json(
    { ...more, message, status_code: status, code, errors },
    { status, headers },
  );
}

/** What is not a problem yet becomes one: our own fault is a 500 that tells nothing and is logged. */
export function problemOf(error: unknown, c: Context): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof StaleRevision) return unavailable();
  if (error instanceof HTTPException) return new Problem(error.status);
  log('error', 'request failed', {
    request_id: c.get('requestId'),
    reason: reasonOf(error),
  });
  return new Problem(500);
}

/** The innermost cause: Drizzle puts SQL and values into the message around it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return error.cause ? reasonOf(error.cause) : `${error.name}: ${error.message.slice(0, 300)}`;
}
