/** What the token endpoint may answer instead of tokens: status, `error` and, where there is one, `hint`. */
export const tokenRefusals = {
  'method is not POST': [405, 'invalid_request'],
  'body is too long': [413, 'invalid_request'],
  'body is not a form': [400, 'invalid_request'],
  'grant_type is missing': [400, 'invalid_request', 'Check the grant_type parameter'],
  'grant_type is unknown': [
    400,
    'unsupported_grant_type',
    'Check that all required parameters have been provided',
  ],
  'client is wrong': [401, 'invalid_client'],
  'code is missing': [400, 'invalid_request', 'Check the code parameter'],
  'code is malformed': [400, 'invalid_request', 'Cannot decrypt the authorization code'],
  'verifier is missing': [400, 'invalid_request', 'Cannot decrypt the authorization code'],
  'code is expired': [400, 'invalid_grant', 'Authorization code has expired'],
  'code is spent': [400, 'invalid_grant', 'Authorization code has been revoked'],
  'verifier is wrong': [400, 'invalid_grant', "Failed to verify 'code_verifier'"],
  'redirect_uri is wrong': [400, 'invalid_grant', 'The redirect uri is incorrect.'],
  'refresh_token is missing': [400, 'invalid_request', 'Check the refresh_token parameter'],
  'refresh_token is malformed': [400, 'invalid_request', 'Cannot decrypt the refresh token'],
  'refresh_token is dead': [400, 'invalid_grant', 'Token has been revoked'],
  'scope is too wide': [400, 'invalid_scope', 'Check the scope parameter'],
  'token is missing': [400, 'invalid_request', 'Check the token parameter'],
  'too many requests': [429, 'temporarily_unavailable'],
  'database is away': [503, 'temporarily_unavailable'],
} as const satisfies Record<string, readonly [status: number, error: string, hint?: string]>;

export type TokenRefusalReason = keyof typeof tokenRefusals;

/** `error_description` of each error: fixed English, never anything that was sent. */
export const descriptions = {
  invalid_request: 'A required parameter is missing, malformed or sent twice.',
  unsupported_grant_type: 'The grant type is not supported by this authorization server.',
  unsupported_token_type: 'This type of token cannot be revoked.',
  invalid_client: 'The client is unknown, or the request belongs to another one.',
  invalid_grant: 'The authorization code or refresh token is expired, revoked or was already used.',
  invalid_scope: 'A scope is unknown or is more than what may be asked for.',
  access_denied: 'The request was denied.',
  temporarily_unavailable: 'The authorization server cannot answer at the moment.',
} as const;

/** Why an authorization request is answered with a page here, and the app hears nothing of it. */
export type AuthorizationRefusal = 'url is too long' | 'client is wrong' | 'redirect_uri is wrong';
