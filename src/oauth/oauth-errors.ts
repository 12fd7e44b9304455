/** Errors of the token, revocation and registration endpoints: status, `error` and, where the specification has one, `hint`. */
export const oauthErrors = {
  method_not_allowed: [405, 'invalid_request'],
  body_too_large: [413, 'invalid_request'],
  form_malformed: [400, 'invalid_request'],
  grant_type_missing: [400, 'invalid_request', 'Check the grant_type parameter'],
  grant_type_unsupported: [
    400,
    'unsupported_grant_type',
    'Check that all required parameters have been provided',
  ],
  client_invalid: [401, 'invalid_client'],
  code_missing: [400, 'invalid_request', 'Cannot decrypt the authorization code'],
  code_malformed: [400, 'invalid_request', 'Cannot decrypt the authorization code'],
  verifier_missing: [400, 'invalid_request', 'Cannot decrypt the authorization code'],
  code_expired: [400, 'invalid_grant', 'Authorization code has expired'],
  code_revoked: [400, 'invalid_grant', 'Authorization code has been revoked'],
  verifier_mismatch: [400, 'invalid_grant', "Failed to verify 'code_verifier'"],
  redirect_uri_mismatch: [400, 'invalid_grant', 'The redirect uri is incorrect.'],
  refresh_token_missing: [400, 'invalid_request', 'Check the refresh_token parameter'],
  refresh_token_malformed: [400, 'invalid_request', 'Cannot decrypt the refresh token'],
  refresh_token_revoked: [400, 'invalid_grant', 'Token has been revoked'],
  scope_too_wide: [400, 'invalid_scope', 'Check the scope parameter'],
  target_invalid: [400, 'invalid_target', 'Check the resource parameter'],
  metadata_invalid: [400, 'invalid_client_metadata'],
  redirect_uris_invalid: [400, 'invalid_redirect_uri', 'Check the redirect_uris parameter'],
  token_missing: [400, 'invalid_request', 'Check the token parameter'],
  rate_limited: [429, 'temporarily_unavailable'],
  registrations_full: [503, 'temporarily_unavailable'],
  database_unavailable: [503, 'temporarily_unavailable'],
} as const satisfies Record<string, readonly [status: number, error: string, hint?: string]>;

export type OAuthErrorReason = keyof typeof oauthErrors;

/** `error_description` of each error: fixed English that never repeats input. */
export const errorDescriptions = {
  invalid_request: 'A required parameter is missing, malformed or repeated.',
  unsupported_grant_type: 'The grant type is not supported by this authorization server.',
  invalid_client: 'The client is unknown, or the request belongs to another client.',
  invalid_grant: 'The authorization code or refresh token is expired, revoked or already used.',
  invalid_scope: 'A scope is unknown or exceeds the scopes that are allowed.',
  invalid_target: 'The resource is none that this authorization server gives tokens for.',
  invalid_client_metadata: 'The metadata of the client are malformed or too long.',
  invalid_redirect_uri: 'No redirect URI of the client can be used.',
  access_denied: 'The request was denied.',
  temporarily_unavailable: 'The authorization server cannot process the request at the moment.',
} as const;

/**
 * The body of a refusal: `error`, `error_description`, `error_uri` (a link into the guide) and, where the specification has
 * one, `hint`.
 */
export function oauthErrorBody(reason: OAuthErrorReason, issuer: string, hint?: string) {
  const [, error, usualHint] = oauthErrors[reason];
  const shownHint = hint ?? usualHint;
  return {
    error,
    error_description: errorDescriptions[error],
    ...(shownHint !== undefined && { hint: shownHint }),
    error_uri: `${issuer}/docs/guides/oauth#oauth-${error}`,
  };
}

/** The reason why a request gets no tokens. `responses.ts` turns it into the response. */
export class OAuthError extends Error {
  readonly reason: OAuthErrorReason;
  readonly hint: string | undefined;
  readonly headers: Record<string, string>;

  constructor(
    reason: OAuthErrorReason,
    options: { hint?: string; headers?: Record<string, string> } = {},
  ) {
    super(reason);
    this.reason = reason;
    this.hint = options.hint;
    this.headers = options.headers ?? {};
  }
}

/** The reason why an authorization request gets an error page of this service, and no redirect to the app. */
export type AuthorizationErrorReason =
  | 'url_too_long'
  | 'parameter_missing'
  | 'parameter_repeated'
  | 'client_unknown'
  | 'document_invalid'
  | 'host_blocked'
  | 'draft_of_another'
  | 'redirect_uri_unknown';
