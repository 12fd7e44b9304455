import { DatabaseUnavailable, HttpError } from '../errors.ts';
import { alertOperator } from '../http/error-response.ts';
import { errorDescriptions, OAuthError, oauthErrors } from './errors.ts';

/** Headers of every response of the token and revocation endpoints (RFC 6749, section 5.1). */
const commonHeaders = {
  'Content-Type': 'application/json; charset=UTF-8',
  'Cache-Control': 'no-store',
  Pragma: 'no-cache',
};

/** Makes a response of the token or revocation endpoint. */
export const oauthResponse = (body: object, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { ...commonHeaders, ...headers } });

/**
 * Makes the response to a failed request: `error`, `error_description`, `error_uri` (a link into the guide) and, where the
 * specification has one, `hint`. An unavailable database is a 503, never `invalid_grant`, which clients treat as final. Rethrows other errors.
 */
export function oauthErrorResponse(failure: unknown, issuer: string): Response {
  const oauthError = toOAuthError(failure);
  const [status, error, hint] = oauthErrors[oauthError.reason];
  return oauthResponse(
    {
      error,
      error_description: errorDescriptions[error],
      hint: oauthError.hint ?? hint,
      error_uri: `${issuer}/docs/guides/oauth#oauth-${error}`,
    },
    status,
    oauthError.headers,
  );
}

function toOAuthError(failure: unknown): OAuthError {
  if (failure instanceof OAuthError) return failure;
  if (!(failure instanceof HttpError)) throw failure;
  if (failure instanceof DatabaseUnavailable) alertOperator(failure, { operation: 'oauth' });
  const { status, headers } = failure;
  if (status === 503) return new OAuthError('database_unavailable', { headers });
  if (status === 429) return new OAuthError('rate_limited', { headers });
  throw failure;
}
