import { headerReferences } from '../../http/openapi/response-headers.ts';
import type { ResponseObject } from '../../http/openapi/types.ts';
import { errorDescriptions, oauthErrors, type OAuthErrorReason } from '../../oauth/errors.ts';

/** What each refusal is called in the list of examples. */
const summaries: Record<OAuthErrorReason, string> = {
  method_not_allowed: 'Not a POST',
  body_too_large: 'Form of more than 16 KiB',
  form_malformed: 'Not a form, or a parameter sent twice',
  grant_type_missing: 'No grant_type',
  grant_type_unsupported: 'Another grant type',
  client_invalid: 'Unknown client, or the token of another one',
  code_missing: 'No code',
  code_malformed: 'Not a code of this server',
  verifier_missing: 'No code_verifier',
  code_expired: 'Code older than 60 seconds',
  code_revoked: 'Code used before, or consent withdrawn',
  verifier_mismatch: 'code_verifier does not fit code_challenge',
  redirect_uri_mismatch: 'Another redirect URI than in the authorization request',
  refresh_token_missing: 'No refresh token',
  refresh_token_malformed: 'Not a refresh token of this server',
  refresh_token_revoked: 'Refresh token expired, revoked or spent',
  scope_too_wide: 'More scopes than the merchant allowed',
  token_missing: 'No token',
  rate_limited: 'Too many requests for this connection',
  database_unavailable: 'The service cannot answer now',
};

const descriptions: Record<number, string> = {
  400: 'The request cannot be served; `error` and `hint` say why.',
  401: 'The client is unknown, withdrawn, or not the one that the code or token was issued to.',
  405: 'Only POST is possible.',
  413: 'The form is larger than 16 KiB.',
  429: 'Too many requests for this connection. The code or token stays valid: retry later.',
  503: 'The service cannot answer now. The code or token stays valid: retry with the same one.',
};

const headersByStatus: Record<number, string[]> = {
  405: ['Allow'],
  429: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  503: ['Retry-After'],
};

/** The responses to requests that fail for one of these reasons, by status, with an example of each reason. */
export function oauthErrorResponses(
  origin: string,
  reasons: readonly OAuthErrorReason[],
): Record<string, ResponseObject> {
  const responses: Record<string, ResponseObject> = {};
  for (const reason of reasons) {
    const [status, error, hint] = oauthErrors[reason];
    const headers = headersByStatus[status];
    const response = (responses[status] ??= {
      description: descriptions[status] ?? '',
      ...(headers && { headers: headerReferences(headers) }),
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/OAuthError' }, examples: {} },
      },
    });
    const examples = response.content?.['application/json']?.examples ?? {};
    examples[reason] = {
      summary: summaries[reason],
      value: {
        error,
        error_description: errorDescriptions[error],
        ...(hint !== undefined && { hint }),
        error_uri: `${origin}/docs/guides/oauth#oauth-${error}`,
      },
    };
  }
  return responses;
}

/** The reasons why `/oauth/token` refuses: all but that of the revocation endpoint. */
export const tokenErrorReasons = (Object.keys(oauthErrors) as OAuthErrorReason[]).filter(
  (reason) => reason !== 'token_missing',
);

/** The reasons why `/oauth/revoke` refuses. */
export const revocationErrorReasons = [
  'method_not_allowed',
  'body_too_large',
  'form_malformed',
  'client_invalid',
  'token_missing',
  'rate_limited',
  'database_unavailable',
] as const satisfies readonly OAuthErrorReason[];
