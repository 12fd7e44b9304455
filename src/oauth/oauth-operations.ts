import { authLifetimes } from '../base/auth-lifetimes.ts';
import { languages } from '../base/languages.ts';
import { resourceMetadataRoot } from '../http/access/challenge.ts';
import { exampleFor } from '../http/openapi/example.ts';
import { headerReferences } from '../http/openapi/response-headers.ts';
import type { RootGroup } from '../http/openapi/root-operations.ts';
import type { JsonSchema, JsonSchemas, ResponseObject } from '../http/openapi/types.ts';
import type { RegistrationResponse } from './agents/register-endpoint.ts';
import { oauthErrorBody, oauthErrors, type OAuthErrorReason } from './oauth-errors.ts';
import type { TokenParameter } from './read-token-form.ts';
import { authorizationServerMetadata, protectedResourceMetadata } from './server-metadata.ts';
import type { TokenResponse } from './token/token-response.ts';

const issuer = 'https://store-api.example';
const redirectUri = 'https://app.example.com/oauth/callback';
const state = 'af0ifjsldkj';

/** One authorization, as all examples show it: the value of each field. */
const examples: Readonly<Record<string, unknown>> = {
  ...protectedResourceMetadata(issuer),
  ...authorizationServerMetadata(issuer),
  ...oauthErrorBody('code_expired', issuer),
  scopes_supported: ['catalog.read'],
  response_type: 'code',
  client_id: 'app_5f0c9c1e7d',
  redirect_uri: redirectUri,
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
  scope: 'catalog.read orders.read',
  state,
  response_mode: 'query',
  store: 'demo',
  ui_locales: 'pt-BR en',
  code: 'oac_AQH3k8c2Yx0PqLr7mZ5tUw',
  code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  expires_in: authLifetimes.accessToken / 1000,
  access_token: 'oat_AQJ8s1d4Vb6NqRt2kX9yCe',
  refresh_token: 'ort_AQK5f7h0Zm3LwPs8jT1uGa',
  refresh_token_expires_in: authLifetimes.refreshToken / 1000,
  merchant: 'demo',
  token: 'ort_AQK5f7h0Zm3LwPs8jT1uGa',
  token_type_hint: 'refresh_token',
  redirect_uris: ['https://assistant.example/callback'],
  client_name: 'Assistant',
  client_id_issued_at: 1_795_500_000,
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
};

/** Descriptions of fields, or their schemas where the example does not say enough. */
type Fields<Name extends string> = Readonly<Record<Name, string | JsonSchema>>;

/** A field with this description. Its type is that of its example. */
function field(name: string, description: string): JsonSchema {
  const example = examples[name];
  if (Array.isArray(example)) {
    return { type: 'array', description, items: { type: 'string' }, examples: [example] };
  }
  return {
    type: typeof example === 'number' ? 'integer' : 'string',
    description,
    examples: [example],
  };
}

/** An object with these fields, which are required unless `optional` names them. */
const object = <Name extends string>(
  description: string,
  fields: Fields<Name>,
  optional: readonly NoInfer<Name>[] = [],
): JsonSchema => ({
  type: 'object',
  description,
  properties: Object.fromEntries(
    Object.entries<string | JsonSchema>(fields).map(([name, meaning]) => [
      name,
      typeof meaning === 'string' ? field(name, meaning) : meaning,
    ]),
  ),
  required: Object.keys(fields).filter((name) => !optional.some((other) => other === name)),
});

/** The fields of a form of the token or revocation endpoint. */
const form = <Name extends TokenParameter>(
  description: string,
  fields: Fields<Name>,
  optional?: readonly NoInfer<Name>[],
) => object(description, fields, optional);

const constant = (value: string, description: string): JsonSchema => ({
  type: 'string',
  const: value,
  description,
});

const component = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const client_id = 'Client id of your app, from its page in the partner area.';

const resource =
  'The address of the tools for assistants, if the tokens shall open these and not the API (RFC 8707). Without it, a code or refresh token keeps what it was made for.';

/** The meaning of each `error` of the token and revocation endpoints for the app, with the remedy. */
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

/** The names of a client by language, as registrations have them (RFC 7591, section 2.2). */
const localizedNames = languages.map((language) => `client_name#${language}` as const);
const localizedFields = Object.fromEntries(
  localizedNames.map((name) => [
    name,
    { type: 'string', description: 'The name that pages in this language show.' },
  ]),
) as Record<(typeof localizedNames)[number], JsonSchema>;

/** The components of these operations. */
const schemas: JsonSchemas = {
  TokenRequest: {
    description: 'What an app sends to get tokens: an authorization code, or its refresh token.',
    oneOf: [component('CodeRedemption'), component('TokenRefresh')],
    discriminator: {
      propertyName: 'grant_type',
      mapping: {
        authorization_code: component('CodeRedemption').$ref,
        refresh_token: component('TokenRefresh').$ref,
      },
    },
  },
  CodeRedemption: form(
    'Redeems the authorization code of a consent for the first tokens.',
    {
      grant_type: constant(
        'authorization_code',
        'Selects the first exchange, right after the consent.',
      ),
      client_id,
      resource,
      code: 'The code of the redirect. It works once, and for 60 seconds; a second use ends the connection.',
      redirect_uri:
        'The same address as in the authorization request, character by character. An assistant may leave it out.',
      code_verifier: {
        ...field(
          'code_verifier',
          'The secret that code_challenge was made from (PKCE): it proves that you began this authorization.',
        ),
        pattern: '^[A-Za-z0-9._~-]{43,128}$',
      },
    },
    ['resource'],
  ),
  TokenRefresh: form(
    'Exchanges a refresh token for new tokens. It replaces the refresh token each time.',
    {
      grant_type: constant(
        'refresh_token',
        'Selects the exchange that is repeated for as long as the app is connected.',
      ),
      client_id,
      refresh_token:
        'The newest refresh token of the connection. If the answer was lost, send the same one again within 2 minutes.',
      scope:
        'Scopes of the new access token, if it needs fewer than the merchant allowed. All of them if absent.',
      resource,
    },
    ['scope', 'resource'],
  ),
  TokenResponse: object<keyof TokenResponse>('The tokens of one connection: an app in a store.', {
    token_type: constant('Bearer', 'How to send the access token: `Authorization: Bearer ...`.'),
    expires_in: 'Seconds that the access token lives. Refresh a little earlier.',
    access_token:
      'Opens the API, together with the header X-Partner-Client-ID. Keep it on your server.',
    refresh_token:
      'Gets the next tokens. Store it before you use the access token: the former one is spent.',
    refresh_token_expires_in: 'Seconds until the connection ends unless you refresh before.',
    scope: 'What the merchant allowed, separated by spaces.',
    merchant: 'Alias of the store: the first part of the paths that the token opens.',
  }),
  OAuthErrorCode: {
    type: 'string',
    description: 'Why no tokens were given (RFC 6749, section 5.2).',
    enum: Object.keys(errorMeanings),
    'x-enumDescriptions': errorMeanings,
  },
  OAuthError: object<keyof ReturnType<typeof oauthErrorBody>>(
    'A refusal of the token or revocation endpoint, as OAuth libraries expect it.',
    {
      error: { ...component('OAuthErrorCode'), description: 'What your program distinguishes.' },
      error_description: 'An English sentence for your log, which names the parameter.',
      hint: 'Which parameter or check it was; absent for some checks.',
      error_uri: 'The place in the guide that explains this error.',
    },
    ['hint'],
  ),
  RevocationRequest: form(
    'Ends the connection that a token belongs to.',
    {
      client_id,
      token: 'Any token of the connection: access or refresh token. All its tokens end.',
      token_type_hint: 'Accepted, because libraries send it; it changes nothing.',
    },
    ['token_type_hint'],
  ),
  AuthorizationServerMetadata: object<keyof ReturnType<typeof authorizationServerMetadata>>(
    'What OAuth libraries read to configure themselves (RFC 8414).',
    {
      issuer: 'Name of this server; equals `iss` of the redirect.',
      authorization_endpoint: 'Where to send the merchant.',
      token_endpoint: 'Where to get tokens.',
      revocation_endpoint: 'Where to end a connection.',
      registration_endpoint: 'Where assistants register themselves (RFC 7591).',
      service_documentation: 'These pages.',
      scopes_supported: 'Every scope that an app can ask for.',
      ui_locales_supported: 'The languages of the pages.',
      response_types_supported: 'Only the authorization code flow.',
      response_modes_supported: 'The redirect carries its answer in the query.',
      grant_types_supported: 'What the token endpoint takes.',
      token_endpoint_auth_methods_supported:
        'Apps have no secret: PKCE and client_id identify them.',
      revocation_endpoint_auth_methods_supported: 'As at the token endpoint.',
      code_challenge_methods_supported: 'PKCE is required, with SHA-256.',
      client_id_metadata_document_supported: {
        type: 'boolean',
        const: true,
        description: 'An assistant may send the https address of its metadata as client_id.',
      },
      authorization_response_iss_parameter_supported: {
        type: 'boolean',
        const: true,
        description: 'Every redirect names this server in `iss` (RFC 9207): compare it.',
      },
    },
    [
      'registration_endpoint',
      'client_id_metadata_document_supported',
      'service_documentation',
      'scopes_supported',
      'ui_locales_supported',
      'response_modes_supported',
      'token_endpoint_auth_methods_supported',
      'revocation_endpoint_auth_methods_supported',
      'authorization_response_iss_parameter_supported',
    ],
  ),
  RegistrationRequest: object(
    'How an assistant registers itself, in at most 5,120 bytes. Other members of RFC 7591 are accepted and change nothing; one that is null is absent.',
    {
      redirect_uris:
        'Where people return to: https addresses, loopback addresses with any port, schemes of programs. At most ten.',
      client_name: 'What people call it. The consent page says that it is not verified.',
      ...localizedFields,
    },
    ['client_name', ...localizedNames],
  ),
  RegistrationResponse: object<keyof RegistrationResponse>(
    'The registered client. It is deleted after a day without a consent, and once its last grant has ended.',
    {
      client_id: 'The id to send as client_id.',
      client_id_issued_at: 'When it was registered, in seconds since 1970.',
      client_name: 'The name as pages show it.',
      ...localizedFields,
      redirect_uris: 'The addresses that can be used.',
      token_endpoint_auth_method: constant('none', 'Assistants have no secret, but PKCE.'),
      grant_types: 'What the token endpoint takes.',
      response_types: 'Only the authorization code flow.',
    },
    localizedNames,
  ),
  ProtectedResourceMetadata: object<keyof ReturnType<typeof protectedResourceMetadata>>(
    'What assistants read to find out who issues tokens for the tools (RFC 9728).',
    {
      resource: 'The address of the tools: what to send as `resource`.',
      authorization_servers: 'Who issues tokens for them.',
      scopes_supported: 'Every scope that a merchant can allow.',
      bearer_methods_supported: 'How to send a token: in the header Authorization.',
      resource_documentation: 'These pages.',
    },
    ['scopes_supported', 'bearer_methods_supported', 'resource_documentation'],
  ),
};

/** The query of the authorization endpoint. */
const authorizationQuery = {
  response_type: 'Always `code`: the redirect brings a code, never tokens.',
  client_id,
  redirect_uri:
    'Where the merchant returns to. It must be registered for the app, character by character.',
  code_challenge:
    'SHA-256 of code_verifier in base64url (PKCE). Make a new verifier for every authorization.',
  code_challenge_method: 'Always `S256`; the plain method is refused.',
  scope:
    'What the app asks for, separated by spaces. Without it: all scopes that the app is registered with.',
  state:
    'Returned unchanged, up to 2,048 bytes: compare it to know that the answer belongs to your request.',
  response_mode: 'Only `query`, which is the default: the answer is in the query of the redirect.',
  resource:
    'The address of the tools for assistants, if the tokens shall open these and not the API (RFC 8707).',
  store:
    'Alias of the store to connect, if you know it. Without it a merchant with several stores chooses.',
  ui_locales:
    'Languages for the pages, the best first, such as `pt-BR en`. What the merchant has chosen wins.',
};
const optionalParameters = new Set([
  'scope',
  'state',
  'response_mode',
  'resource',
  'store',
  'ui_locales',
]);
/** Those with one possible value. */
const fixedParameters = new Set(['response_type', 'code_challenge_method', 'response_mode']);

const page = (description: string): ResponseObject => ({
  description,
  content: { 'text/html': { schema: { type: 'string' }, example: '<!doctype html>...' } },
});

const jsonOf = (name: string) => ({ 'application/json': { schema: component(name) } });

/** A form, with an example of each of these components. */
const formOf = (name: string, sent: Readonly<Record<string, [summary: string, name: string]>>) => ({
  required: true,
  content: {
    'application/x-www-form-urlencoded': {
      schema: component(name),
      examples: Object.fromEntries(
        Object.entries(sent).map(([key, [summary, example]]) => [
          key,
          { summary, value: exampleFor(component(example), schemas) },
        ]),
      ),
    },
  },
});

/** The reasons of the other endpoints only. */
const otherReasons = new Set<OAuthErrorReason>([
  'metadata_invalid',
  'redirect_uris_invalid',
  'token_missing',
]);

/** The reasons why `/oauth/token` refuses. */
const tokenReasons = (Object.keys(oauthErrors) as OAuthErrorReason[]).filter(
  (reason) => !otherReasons.has(reason),
);

/** The description of the refusals of each status, and their headers. */
const refusalsByStatus: Readonly<Record<string, [description: string, headers?: string[]]>> = {
  400: ['The request cannot be served; `error` and `hint` say why.'],
  401: ['The client is unknown, withdrawn, or not the one that the code or token was issued to.'],
  405: ['Only POST is possible.', ['Allow']],
  413: ['The form is larger than 16 KiB.'],
  429: [
    'Too many requests for this connection. The code or token stays valid: retry later.',
    ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  ],
  503: [
    'The service cannot answer now. The code or token stays valid: retry with the same one.',
    ['Retry-After'],
  ],
};

/** Returns the responses to requests that fail for one of these reasons, by status, with an example of each reason. */
const refusals = (origin: string, reasons: readonly OAuthErrorReason[]) =>
  Object.fromEntries(
    Object.entries(Object.groupBy(reasons, (reason) => oauthErrors[reason][0])).map(
      ([status, ofStatus]): [string, ResponseObject] => {
        const [description = '', headers] = refusalsByStatus[status] ?? [];
        const bodies = ofStatus.map((reason) => [
          reason,
          { summary: oauthErrors[reason][2], value: oauthErrorBody(reason, origin) },
        ]);
        const schema = component('OAuthError');
        const content = {
          'application/json': { schema, examples: Object.fromEntries(bodies) },
        };
        return [
          status,
          { description, ...(headers && { headers: headerReferences(headers) }), content },
        ];
      },
    ),
  );

/**
 * Returns the endpoints of the authorization server as the OpenAPI document has them. `origin` is where the service is. The
 * Worker does not contain them; the compiler compares their fields with those that the endpoints read and return.
 */
export const oauthOperations = (origin: string): RootGroup => ({
  tag: 'OAuth',
  schemas,
  operations: [
    {
      id: 'authorizeApp',
      route: 'GET /oauth/authorize',
      parameters: Object.entries(authorizationQuery).map(([name, description]) => ({
        name,
        in: 'query',
        required: !optionalParameters.has(name),
        description,
        schema: {
          type: 'string',
          ...(fixedParameters.has(name) && { enum: [examples[name]] }),
        },
        example: examples[name],
      })),
      responses: {
        200: page(
          'A page for the merchant: signing in, the choice of a store, or the consent. Approve or Deny then leads to redirect_uri (303), with `code`, `merchant`, `state` and `iss`, or with `error=access_denied`.',
        ),
        302: {
          description:
            'The app made a mistake, which is reported to its redirect URI: `error` is `invalid_request` (a parameter is missing, repeated or malformed), `invalid_scope` or `invalid_target` (another resource), with `error_description`, `state` and `iss`.',
          headers: {
            Location: {
              description: 'redirect_uri with the answer in its query.',
              schema: {
                type: 'string',
                examples: [
                  `${redirectUri}?error=invalid_scope&state=${state}&iss=${encodeURIComponent(origin)}`,
                ],
              },
            },
          },
        },
        400: page(
          'A page, and no redirect: the client or its redirect URI is not valid, or the address has more than 8 KiB. It shows the developer which.',
        ),
        403: page('A page: the merchant may not connect apps to the store that was asked for.'),
      },
    },
    {
      id: 'issueTokens',
      route: 'POST /oauth/token',
      requestBody: formOf('TokenRequest', {
        code: ['After the redirect: redeem the code', 'CodeRedemption'],
        refresh: ['Before expires_in is over: refresh', 'TokenRefresh'],
      }),
      responses: {
        200: {
          description: 'The tokens. They are not cached, and shown only here.',
          content: jsonOf('TokenResponse'),
        },
        ...refusals(origin, tokenReasons),
      },
    },
    {
      id: 'revokeToken',
      route: 'POST /oauth/revoke',
      requestBody: formOf('RevocationRequest', {
        token: ['End the connection of a token', 'RevocationRequest'],
      }),
      responses: {
        200: {
          description:
            'The token opens nothing any more. Also for a token that is unknown or was revoked before.',
          content: jsonOf('Empty'),
        },
        ...refusals(origin, [
          'method_not_allowed',
          'body_too_large',
          'form_malformed',
          'client_invalid',
          'token_missing',
          'rate_limited',
          'database_unavailable',
        ]),
      },
    },
    {
      id: 'registerClient',
      route: 'POST /oauth/register',
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: component('RegistrationRequest'),
            example: exampleFor(component('RegistrationRequest'), schemas),
          },
        },
      },
      responses: {
        201: {
          description: 'The client is registered.',
          content: jsonOf('RegistrationResponse'),
        },
        ...refusals(origin, [
          'method_not_allowed',
          'metadata_invalid',
          'metadata_too_large',
          'redirect_uris_invalid',
          'redirect_uris_too_many',
          'rate_limited',
          'database_unavailable',
        ]),
      },
    },
    {
      id: 'showProtectedResource',
      route: `GET ${resourceMetadataRoot}/mcp`,
      responses: {
        200: {
          description: 'The tools for assistants as a resource, and who issues tokens for them.',
          content: jsonOf('ProtectedResourceMetadata'),
        },
        421: { $ref: '#/components/responses/MisdirectedRequest' },
      },
    },
    {
      id: 'showAuthorizationServer',
      route: 'GET /.well-known/oauth-authorization-server',
      responses: {
        200: {
          description: 'The addresses and abilities of this authorization server.',
          content: jsonOf('AuthorizationServerMetadata'),
        },
        421: { $ref: '#/components/responses/MisdirectedRequest' },
      },
    },
  ],
});
