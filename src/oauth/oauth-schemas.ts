import * as z from 'zod';
import { authLifetimes } from '../base/auth-lifetimes.ts';
import { languages } from '../base/languages.ts';
import type { TokenParameter } from './endpoint-form.ts';
import type { oauthErrorBody, oauthErrors, OAuthErrorReason } from './oauth-errors.ts';
import { authorizationServerMetadata, protectedResourceMetadata } from './server-metadata.ts';

const issuer = 'https://store-api.example';
const server = authorizationServerMetadata(issuer);
const tools = protectedResourceMetadata(issuer);

const text = (description: string) => z.string().describe(description);
const integer = (description: string) => z.int().describe(description);
const texts = (description: string) => z.array(z.string()).describe(description);

/** The fields of a form of the token or revocation endpoint, which it knows by these names. */
type FormFields = Partial<Record<TokenParameter, z.ZodType>>;

/** One authorization, as all examples show it. */
const client_id = 'app_5f0c9c1e7d';
export const sentBack = {
  redirect_uri: 'https://app.example.com/oauth/callback',
  state: 'af0ifjsldkj',
};
const { redirect_uri } = sentBack;
const scope = 'catalog.read orders.read';
const refresh_token = 'ort_AQK5f7h0Zm3LwPs8jT1uGa';
const assistant = {
  redirect_uris: ['https://assistant.example/callback'],
  client_name: 'Assistant',
};

const clientId = text('Client id of your app, from its page in the partner area.');

/** The query of the authorization endpoint. */
export const AuthorizationQuery = z
  .object({
    response_type: z
      .enum(['code'])
      .describe('Always `code`: the redirect brings a code, never tokens.'),
    client_id: clientId,
    redirect_uri: text(
      'Where the merchant returns to. It must be registered for the app, character by character.',
    ),
    code_challenge: text(
      'SHA-256 of code_verifier in base64url (PKCE). Make a new verifier for every authorization.',
    ),
    code_challenge_method: z.enum(['S256']).describe('Always `S256`; the plain method is refused.'),
    scope: text(
      'What the app asks for, separated by spaces. Without it: all scopes that the app is registered with.',
    ).optional(),
    state: text(
      'Returned unchanged, up to 2,048 bytes: compare it to know that the answer belongs to your request.',
    ).optional(),
    response_mode: z
      .enum(['query'])
      .describe('Only `query`, which is the default: the answer is in the query of the redirect.')
      .optional(),
    resource: text(
      'The address of the tools for assistants, if the tokens shall open these and not the API (RFC 8707).',
    ).optional(),
    store: text(
      'Alias of the store to connect, if you know it. Without it a merchant with several stores chooses.',
    ).optional(),
    ui_locales: text(
      'Languages for the pages, the best first, such as `pt-BR en`. What the merchant has chosen wins.',
    ).optional(),
  })
  .meta({
    examples: [
      {
        response_type: 'code',
        client_id,
        ...sentBack,
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
        scope,
        response_mode: 'query',
        resource: tools.resource,
        store: 'demo',
        ui_locales: 'pt-BR en',
      },
    ],
  });

const resource = text(
  'The address of the tools for assistants, if the tokens shall open these and not the API (RFC 8707). Without it, a code or refresh token keeps what it was made for.',
).optional();

export const CodeRedemption = z
  .object({
    grant_type: z
      .literal('authorization_code')
      .describe('Selects the first exchange, right after the consent.'),
    client_id: clientId,
    resource,
    code: text(
      'The code of the redirect. It works once, and for 60 seconds; a second use ends the connection.',
    ),
    redirect_uri: text(
      'The same address as in the authorization request, character by character. An assistant may leave it out.',
    ),
    code_verifier: z
      .string()
      .regex(/^[A-Za-z0-9._~-]{43,128}$/)
      .describe(
        'The secret that code_challenge was made from (PKCE): it proves that you began this authorization.',
      ),
  } satisfies FormFields)
  .meta({
    id: 'CodeRedemption',
    description: 'Redeems the authorization code of a consent for the first tokens.',
    examples: [
      {
        grant_type: 'authorization_code',
        client_id,
        code: 'oac_AQH3k8c2Yx0PqLr7mZ5tUw',
        redirect_uri,
        code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
      },
    ],
  });

export const TokenRefresh = z
  .object({
    grant_type: z
      .literal('refresh_token')
      .describe('Selects the exchange that is repeated for as long as the app is connected.'),
    client_id: clientId,
    refresh_token: text(
      'The newest refresh token of the connection. If the answer was lost, send the same one again within 2 minutes.',
    ),
    scope: text(
      'Scopes of the new access token, if it needs fewer than the merchant allowed. All of them if absent.',
    ).optional(),
    resource,
  } satisfies FormFields)
  .meta({
    id: 'TokenRefresh',
    description:
      'Exchanges a refresh token for new tokens. It replaces the refresh token each time.',
    examples: [{ grant_type: 'refresh_token', client_id, refresh_token }],
  });

export const TokenForm = z.discriminatedUnion('grant_type', [CodeRedemption, TokenRefresh]).meta({
  id: 'TokenRequest',
  description: 'What an app sends to get tokens: an authorization code, or its refresh token.',
  discriminator: {
    propertyName: 'grant_type',
    mapping: {
      authorization_code: '#/components/schemas/CodeRedemption',
      refresh_token: '#/components/schemas/TokenRefresh',
    },
  },
});

/** A successful response of the token endpoint (RFC 6749, section 5.1). */
export const TokenResponse = z
  .object({
    token_type: z
      .literal('Bearer')
      .describe('How to send the access token: `Authorization: Bearer ...`.'),
    expires_in: integer('Seconds that the access token lives. Refresh a little earlier.'),
    access_token: text(
      'Opens the API, together with the header X-Partner-Client-ID. Keep it on your server.',
    ),
    refresh_token: text(
      'Gets the next tokens. Store it before you use the access token: the former one is spent.',
    ),
    refresh_token_expires_in: integer(
      'Seconds until the connection ends unless you refresh before.',
    ),
    scope: text('What the merchant allowed, separated by spaces.'),
    merchant: text('Alias of the store: the first part of the paths that the token opens.'),
  })
  .meta({
    id: 'TokenResponse',
    description: 'The tokens of one connection: an app in a store.',
    examples: [
      {
        token_type: 'Bearer',
        expires_in: authLifetimes.accessToken / 1000,
        access_token: 'oat_AQJ8s1d4Vb6NqRt2kX9yCe',
        refresh_token,
        refresh_token_expires_in: authLifetimes.refreshToken / 1000,
        scope,
        merchant: 'demo',
      },
    ],
  });

export type TokenResponse = z.output<typeof TokenResponse>;

/**
 * The meaning of each `error` of the token and revocation endpoints for the app, with the remedy.
 */
const errorMeanings: Record<(typeof oauthErrors)[OAuthErrorReason][1], string> = {
  invalid_request:
    'A parameter is missing, malformed or repeated; error_description names it. Mend the request: a retry does not help.',
  unsupported_grant_type: 'grant_type is neither authorization_code nor refresh_token.',
  invalid_client:
    'client_id is missing, unknown or withdrawn, or the code or token belongs to another app.',
  invalid_grant:
    'The code or refresh token is expired, revoked or used, or the verifier or redirect URI differs. Send the merchant through /oauth/authorize again.',
  invalid_scope: 'scope asks for more than the merchant allowed.',
  invalid_target:
    'resource names something else than the tools for assistants, or than the merchant allowed.',
  invalid_client_metadata: 'The registration is no JSON object, or has more than 5,120 bytes.',
  invalid_redirect_uri: 'redirect_uris names no address that this server can send people back to.',
  temporarily_unavailable:
    'Too many requests, or the service cannot answer now. Keep the code or token and retry after Retry-After.',
};

const OAuthErrorCode = z.enum(Object.keys(errorMeanings)).meta({
  id: 'OAuthErrorCode',
  description: 'Why no tokens were given (RFC 6749, section 5.2).',
  'x-enumDescriptions': errorMeanings,
});

export const OAuthErrorBody = z
  .object({
    error: OAuthErrorCode.describe('What your program distinguishes.'),
    error_description: text('An English sentence for your log, which names the parameter.'),
    hint: text('Which parameter or check it was; absent for some checks.').optional(),
    error_uri: text('The place in the guide that explains this error.'),
  } satisfies Record<keyof ReturnType<typeof oauthErrorBody>, z.ZodType>)
  .meta({
    id: 'OAuthError',
    description: 'A refusal of the token or revocation endpoint, as OAuth libraries expect it.',
  });

export const RevocationRequest = z
  .object({
    client_id: clientId,
    token: text('Any token of the connection: access or refresh token. All its tokens end.'),
    token_type_hint: text('Accepted, because libraries send it; it changes nothing.').optional(),
  } satisfies FormFields)
  .meta({
    id: 'RevocationRequest',
    description: 'Ends the connection that a token belongs to.',
    examples: [{ client_id, token: refresh_token }],
  });

export const AuthorizationServerMetadata = z
  .object({
    issuer: text('Name of this server; equals `iss` of the redirect.'),
    authorization_endpoint: text('Where to send the merchant.'),
    token_endpoint: text('Where to get tokens.'),
    revocation_endpoint: text('Where to end a connection.'),
    registration_endpoint: text('Where assistants register themselves (RFC 7591).').optional(),
    service_documentation: text('These pages.').optional(),
    scopes_supported: texts('Every scope that an app can ask for.').optional(),
    ui_locales_supported: texts('The languages of the pages.').optional(),
    response_types_supported: texts('Only the authorization code flow.'),
    response_modes_supported: texts('The redirect carries its answer in the query.').optional(),
    grant_types_supported: texts('What the token endpoint takes.'),
    token_endpoint_auth_methods_supported: texts(
      'Apps have no secret: PKCE and client_id identify them.',
    ).optional(),
    revocation_endpoint_auth_methods_supported: texts('As at the token endpoint.').optional(),
    code_challenge_methods_supported: texts('PKCE is required, with SHA-256.'),
    client_id_metadata_document_supported: z
      .literal(true)
      .describe('An assistant may send the https address of its metadata as client_id.')
      .optional(),
    authorization_response_iss_parameter_supported: z
      .literal(true)
      .describe('Every redirect names this server in `iss` (RFC 9207): compare it.')
      .optional(),
  } satisfies Record<keyof typeof server, z.ZodType>)
  .meta({
    id: 'AuthorizationServerMetadata',
    description: 'What OAuth libraries read to configure themselves (RFC 8414).',
    examples: [{ ...server, scopes_supported: ['catalog.read'] }],
  });

/** The names of a client by language, as registrations have them (RFC 7591, section 2.2). */
const localizedNames = Object.fromEntries(
  languages.map((language) => [
    `client_name#${language}`,
    z.string().describe('The name that pages in this language show.').optional(),
  ]),
) as Record<`client_name#${string}`, z.ZodOptional<z.ZodString>>;

export const RegistrationRequest = z
  .object({
    redirect_uris: texts(
      'Where people return to: https addresses, loopback addresses with any port, schemes of programs. At most ten.',
    ),
    client_name: text(
      'What people call it. The consent page says that it is not verified.',
    ).optional(),
    ...localizedNames,
  })
  .meta({
    id: 'RegistrationRequest',
    description:
      'How an assistant registers itself, in at most 5,120 bytes. Other members of RFC 7591 are accepted and change nothing; one that is null is absent.',
    examples: [assistant],
  });

/** The response to the registration of a client (RFC 7591, section 3.2.1). */
export const RegistrationResponse = z
  .object({
    client_id: text('The id to send as client_id.'),
    client_id_issued_at: integer('When it was registered, in seconds since 1970.'),
    client_name: text('The name as pages show it.'),
    ...localizedNames,
    redirect_uris: texts('The addresses that can be used.'),
    token_endpoint_auth_method: z.literal('none').describe('Assistants have no secret, but PKCE.'),
    grant_types: texts('What the token endpoint takes.'),
    response_types: texts('Only the authorization code flow.'),
  })
  .meta({
    id: 'RegistrationResponse',
    description:
      'The registered client. It is deleted after a day without a consent, and once its last grant has ended.',
    examples: [
      {
        client_id,
        client_id_issued_at: 1_795_500_000,
        ...assistant,
        token_endpoint_auth_method: 'none',
        grant_types: server.grant_types_supported,
        response_types: ['code'],
      },
    ],
  });

export type RegistrationResponse = z.output<typeof RegistrationResponse>;

export const ProtectedResourceMetadata = z
  .object({
    resource: text('The address of the tools: what to send as `resource`.'),
    authorization_servers: texts('Who issues tokens for them.'),
    scopes_supported: texts('Every scope that a merchant can allow.').optional(),
    bearer_methods_supported: texts('How to send a token: in the header Authorization.').optional(),
    resource_documentation: text('These pages.').optional(),
  } satisfies Record<keyof typeof tools, z.ZodType>)
  .meta({
    id: 'ProtectedResourceMetadata',
    description: 'What assistants read to find out who issues tokens for the tools (RFC 9728).',
    examples: [{ ...tools, scopes_supported: ['catalog.read'] }],
  });
