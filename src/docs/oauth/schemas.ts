import { authLifetimes } from '../../auth-lifetimes.ts';
import type { JsonSchema, JsonSchemas } from '../../http/openapi/types.ts';
import type { oauthErrors } from '../../oauth/errors.ts';
import { oauthExamples } from './examples.ts';

const text = (description: string, example: string): JsonSchema => ({
  type: 'string',
  description,
  examples: [example],
});

const seconds = (description: string, example: number): JsonSchema => ({
  type: 'integer',
  description,
  examples: [example],
});

const { accessToken, clientId, code, refreshToken, scope, verifier } = oauthExamples;

const client = text('Client id of your app, from its page in the partner area.', clientId);

/** What each `error` of the token and revocation endpoints means for the app, and what to do. */
const errorMeanings: Record<(typeof oauthErrors)[keyof typeof oauthErrors][1], string> = {
  invalid_request:
    'A parameter is missing, malformed or repeated; hint names it. Mend the request: a retry does not help.',
  unsupported_grant_type: 'grant_type is neither authorization_code nor refresh_token.',
  invalid_client:
    'client_id is missing, unknown or withdrawn, or the code or token belongs to another app.',
  invalid_grant:
    'The code or refresh token is expired, revoked or used, or the verifier or redirect URI differs. Send the merchant through /oauth/authorize again.',
  invalid_scope: 'scope asks for more than the merchant allowed.',
  temporarily_unavailable:
    'Too many requests, or the service cannot answer now. Keep the code or token and retry after Retry-After.',
};

/** The components of the OAuth operations. */
export const oauthSchemas: JsonSchemas = {
  TokenRequest: {
    description: 'What an app sends to get tokens: an authorization code, or its refresh token.',
    oneOf: [
      { $ref: '#/components/schemas/CodeRedemption' },
      { $ref: '#/components/schemas/TokenRefresh' },
    ],
    discriminator: {
      propertyName: 'grant_type',
      mapping: {
        authorization_code: '#/components/schemas/CodeRedemption',
        refresh_token: '#/components/schemas/TokenRefresh',
      },
    },
  },
  CodeRedemption: {
    type: 'object',
    description: 'Redeems the authorization code of a consent for the first tokens.',
    properties: {
      grant_type: {
        type: 'string',
        const: 'authorization_code',
        description: 'Selects the first exchange, right after the consent.',
      },
      client_id: client,
      code: text(
        'The code of the redirect. It works once, and for 60 seconds; a second use ends the connection.',
        code,
      ),
      redirect_uri: text(
        'The same address as in the authorization request, character by character.',
        oauthExamples.redirectUri,
      ),
      code_verifier: {
        ...text(
          'The secret that code_challenge was made from (PKCE): it proves that you began this authorization.',
          verifier,
        ),
        pattern: '^[A-Za-z0-9._~-]{43,128}$',
      },
    },
    required: ['grant_type', 'client_id', 'code', 'redirect_uri', 'code_verifier'],
  },
  TokenRefresh: {
    type: 'object',
    description:
      'Exchanges a refresh token for new tokens. It replaces the refresh token each time.',
    properties: {
      grant_type: {
        type: 'string',
        const: 'refresh_token',
        description: 'Selects the exchange that is repeated for as long as the app is connected.',
      },
      client_id: client,
      refresh_token: text(
        'The newest refresh token of the connection. If the answer was lost, send the same one again within 2 minutes.',
        refreshToken,
      ),
      scope: text(
        'Scopes of the new access token, if it needs fewer than the merchant allowed. All of them if absent.',
        scope,
      ),
    },
    required: ['grant_type', 'client_id', 'refresh_token'],
  },
  TokenResponse: {
    type: 'object',
    description: 'The tokens of one connection: an app in a store.',
    properties: {
      token_type: {
        type: 'string',
        const: 'Bearer',
        description: 'How to send the access token: `Authorization: Bearer ...`.',
      },
      expires_in: seconds(
        'Seconds that the access token lives. Refresh a little earlier.',
        authLifetimes.accessToken / 1000,
      ),
      access_token: text(
        'Opens the API, together with the header X-Partner-Client-ID. Keep it on your server.',
        accessToken,
      ),
      refresh_token: text(
        'Gets the next tokens. Store it before you use the access token: the former one is spent.',
        refreshToken,
      ),
      refresh_token_expires_in: seconds(
        'Seconds until the connection ends unless you refresh before.',
        authLifetimes.refreshToken / 1000,
      ),
      scope: text('What the merchant allowed, separated by spaces.', scope),
      merchant: text(
        'Alias of the store: the first part of the paths that the token opens.',
        'demo',
      ),
    },
    required: [
      'token_type',
      'expires_in',
      'access_token',
      'refresh_token',
      'refresh_token_expires_in',
      'scope',
      'merchant',
    ],
  },
  OAuthErrorCode: {
    type: 'string',
    description: 'Why no tokens were given (RFC 6749, section 5.2).',
    enum: Object.keys(errorMeanings),
    'x-enumDescriptions': errorMeanings,
  },
  OAuthError: {
    type: 'object',
    description: 'A refusal of the token or revocation endpoint, as OAuth libraries expect it.',
    properties: {
      error: {
        $ref: '#/components/schemas/OAuthErrorCode',
        description: 'What your program distinguishes.',
      },
      error_description: text(
        'One fixed English sentence for your log.',
        'The authorization code or refresh token is expired, revoked or already used.',
      ),
      hint: text(
        'Which parameter or check it was; absent where the specification has none.',
        'Authorization code has expired',
      ),
      error_uri: text(
        'The place in the guide that explains this error.',
        'https://store-api.example/docs/guides/oauth#oauth-invalid_grant',
      ),
    },
    required: ['error', 'error_description', 'error_uri'],
  },
  RevocationRequest: {
    type: 'object',
    description: 'Ends the connection that a token belongs to.',
    properties: {
      client_id: client,
      token: text(
        'Any token of the connection: access or refresh token. All its tokens end.',
        refreshToken,
      ),
      token_type_hint: text(
        'Accepted, because libraries send it; it changes nothing.',
        'refresh_token',
      ),
    },
    required: ['client_id', 'token'],
  },
  AuthorizationServerMetadata: {
    type: 'object',
    description: 'What OAuth libraries read to configure themselves (RFC 8414).',
    properties: {
      issuer: text(
        'Name of this server; equals `iss` of the redirect.',
        'https://store-api.example',
      ),
      authorization_endpoint: text(
        'Where to send the merchant.',
        'https://store-api.example/oauth/authorize',
      ),
      token_endpoint: text('Where to get tokens.', 'https://store-api.example/oauth/token'),
      revocation_endpoint: text(
        'Where to end a connection.',
        'https://store-api.example/oauth/revoke',
      ),
      service_documentation: text('These pages.', 'https://store-api.example/docs'),
      scopes_supported: strings('Every scope that an app can ask for.', ['catalog.read']),
      response_types_supported: strings('Only the authorization code flow.', ['code']),
      response_modes_supported: strings('The redirect carries its answer in the query.', ['query']),
      grant_types_supported: strings('What the token endpoint takes.', [
        'authorization_code',
        'refresh_token',
      ]),
      token_endpoint_auth_methods_supported: strings(
        'Apps have no secret: PKCE and client_id identify them.',
        ['none'],
      ),
      revocation_endpoint_auth_methods_supported: strings('As at the token endpoint.', ['none']),
      code_challenge_methods_supported: strings('PKCE is required, with SHA-256.', ['S256']),
      authorization_response_iss_parameter_supported: {
        type: 'boolean',
        const: true,
        description: 'Every redirect names this server in `iss` (RFC 9207): compare it.',
      },
    },
    required: [
      'issuer',
      'authorization_endpoint',
      'token_endpoint',
      'revocation_endpoint',
      'response_types_supported',
      'grant_types_supported',
      'code_challenge_methods_supported',
    ],
  },
};

function strings(description: string, examples: string[]): JsonSchema {
  return { type: 'array', description, items: { type: 'string' }, examples: [examples] };
}
