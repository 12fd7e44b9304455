import { DatabaseUnavailable, HttpError } from '../base/errors.ts';
import { alertOperator } from '../http/error-response.ts';
import { OAuthError, oauthErrorBody, oauthErrors } from './oauth-errors.ts';

/** Headers of every response of the token and revocation endpoints (RFC 6749, section 5.1). */
const commonHeaders = {
  'Content-Type': 'application/json; charset=UTF-8',
  'Cache-Control': 'no-store',
  Pragma: 'no-cache',
};

/** Creates a response of the token or revocation endpoint. */
export const oauthResponse = (body: object, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { ...commonHeaders, ...headers } });

/**
 * Creates the response to a failed request. An unavailable database is a 503, never
 * `invalid_grant`, which clients treat as final. Rethrows other errors.
 */
export function oauthErrorResponse(failure: unknown, issuer: string): Response {
  const { reason, details, headers } = toOAuthError(failure);
  return oauthResponse(oauthErrorBody(reason, issuer, details), oauthErrors[reason][0], headers);
}

function toOAuthError(failure: unknown): OAuthError {
  if (failure instanceof OAuthError) return failure;
  if (!(failure instanceof HttpError)) throw failure;
  if (failure instanceof DatabaseUnavailable) alertOperator(failure, { operation: 'oauth' });
  const { status, headers } = failure;
  if (status === 503) return new OAuthError('database_unavailable', { headers });
  if (status === 429) return new OAuthError('rate_limited', { headers });
  if ([400, 413, 415].includes(status)) {
    const description =
      'The body is not of its Content-Encoding, or that is none of gzip, deflate.';
    return new OAuthError('form_malformed', { headers, description });
  }
  throw failure;
}
