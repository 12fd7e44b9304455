/** The longest form, and the longest metadata of a client, in bytes. */
export const maxFormBytes = 16_384;
export const maxMetadataBytes = 5_120;

/** How many redirect URIs a client registers. */
export const maxRedirectUris = 10;

const cannotDecryptCode = 'Cannot decrypt the authorization code';

/**
 * Errors of the token, revocation and registration endpoints: status, `error`, `error_description`
 * and, where the specification has one, `hint`. A description is fixed English that names the
 * parameter and never repeats input.
 */
export const oauthErrors = {
  method_not_allowed: [405, 'invalid_request', 'This endpoint takes POST only.'],
  body_too_large: [413, 'invalid_request', `The form has more than ${maxFormBytes} bytes.`],
  form_malformed: [
    400,
    'invalid_request',
    'The body is no form: send application/x-www-form-urlencoded in UTF-8.',
  ],
  grant_type_missing: [
    400,
    'invalid_request',
    'grant_type is missing: send authorization_code or refresh_token.',
    'Check the grant_type parameter',
  ],
  grant_type_unsupported: [
    400,
    'unsupported_grant_type',
    'grant_type is neither authorization_code nor refresh_token.',
    'Check that all required parameters have been provided',
  ],
  client_invalid: [
    401,
    'invalid_client',
    'client_id is unknown or withdrawn, or the code or token belongs to another app.',
  ],
  code_missing: [400, 'invalid_request', 'code is missing.', cannotDecryptCode],
  code_malformed: [
    400,
    'invalid_request',
    'code is malformed: send it as the redirect URI received it.',
    cannotDecryptCode,
  ],
  verifier_missing: [400, 'invalid_request', 'code_verifier is missing.', cannotDecryptCode],
  code_expired: [
    400,
    'invalid_grant',
    'code has expired after 60 seconds: start again at /oauth/authorize.',
    'Authorization code has expired',
  ],
  code_revoked: [
    400,
    'invalid_grant',
    'code was used before, or the consent was withdrawn: start again at /oauth/authorize.',
    'Authorization code has been revoked',
  ],
  verifier_mismatch: [
    400,
    'invalid_grant',
    'code_verifier is not the text of 43 to 128 characters whose SHA-256 was code_challenge.',
    "Failed to verify 'code_verifier'",
  ],
  redirect_uri_mismatch: [
    400,
    'invalid_grant',
    'redirect_uri is missing, or differs from the one that was sent to /oauth/authorize.',
    'The redirect uri is incorrect.',
  ],
  refresh_token_missing: [
    400,
    'invalid_request',
    'refresh_token is missing.',
    'Check the refresh_token parameter',
  ],
  refresh_token_malformed: [
    400,
    'invalid_request',
    'refresh_token is malformed: send it as it was received.',
    'Cannot decrypt the refresh token',
  ],
  refresh_token_revoked: [
    400,
    'invalid_grant',
    'refresh_token has expired, was revoked or was used before: start again at /oauth/authorize.',
    'Token has been revoked',
  ],
  scope_too_wide: [
    400,
    'invalid_scope',
    'scope names a scope that there is not, or that the merchant did not allow.',
    'Check the scope parameter',
  ],
  target_invalid: [
    400,
    'invalid_target',
    'resource is neither left out nor the address of the tools that the consent was for.',
    'Check the resource parameter',
  ],
  metadata_invalid: [
    400,
    'invalid_client_metadata',
    'The metadata of the client are malformed: send a JSON object.',
  ],
  metadata_too_large: [
    400,
    'invalid_client_metadata',
    `The metadata of the client have more than ${maxMetadataBytes} bytes.`,
  ],
  redirect_uris_invalid: [
    400,
    'invalid_redirect_uri',
    'redirect_uris names no address that can be used: send https addresses, or http://127.0.0.1.',
    'Check the redirect_uris parameter',
  ],
  redirect_uris_too_many: [
    400,
    'invalid_redirect_uri',
    `redirect_uris has more than ${maxRedirectUris} addresses.`,
    'Check the redirect_uris parameter',
  ],
  token_missing: [400, 'invalid_request', 'token is missing.', 'Check the token parameter'],
  rate_limited: [
    429,
    'temporarily_unavailable',
    'Too many requests: wait for Retry-After seconds. The code or token stays valid.',
  ],
  database_unavailable: [
    503,
    'temporarily_unavailable',
    'The authorization server cannot answer at the moment. The code or token stays valid.',
  ],
} as const satisfies Record<
  string,
  readonly [status: number, error: string, description: string, hint?: string]
>;

export type OAuthErrorReason = keyof typeof oauthErrors;

/** The texts of one error, in place of those of its row. */
interface OAuthErrorDetails {
  hint?: string | undefined;
  description?: string | undefined;
}

/**
 * The body of a refusal: `error`, `error_description`, `error_uri` (a link into the guide) and,
 * where the specification has one, `hint`.
 */
export function oauthErrorBody(
  reason: OAuthErrorReason,
  issuer: string,
  details: OAuthErrorDetails = {},
) {
  const [, error, description, usualHint] = oauthErrors[reason];
  const hint = details.hint ?? usualHint;
  return {
    error,
    error_description: details.description ?? description,
    ...(hint !== undefined && { hint }),
    error_uri: `${issuer}/docs/guides/oauth#oauth-${error}`,
  };
}

/** The reason why a request gets no tokens. `endpoint-form.ts` turns it into the response. */
export class OAuthError extends Error {
  readonly reason: OAuthErrorReason;
  readonly details: OAuthErrorDetails;
  readonly headers: Record<string, string>;

  constructor(
    reason: OAuthErrorReason,
    { headers = {}, ...details }: OAuthErrorDetails & { headers?: Record<string, string> } = {},
  ) {
    super(reason);
    this.reason = reason;
    this.details = details;
    this.headers = headers;
  }
}

/**
 * The reason why an authorization request gets an error page of this service, and no redirect to
 * the app.
 */
export type AuthorizationErrorReason =
  | 'url_too_long'
  | 'parameter_missing'
  | 'parameter_repeated'
  | 'client_unknown'
  | 'document_invalid'
  | 'document_confidential'
  | 'host_blocked'
  | 'draft_of_another'
  | 'redirect_uri_unknown';
