import type { OperationObject, ParameterObject, PathItem } from '../../http/openapi/types.ts';
import { oauthExamples } from './examples.ts';
import { oauthErrorResponses, revocationErrorReasons, tokenErrorReasons } from './responses.ts';
import { oauthTexts } from './texts.ts';

/** The tag of the OAuth operations. */
export const oauthTag = 'OAuth';

/** The operations of the authorization server, which are at the root of the service, not under the base path of the API. */
export function oauthPaths(origin: string): Record<string, PathItem> {
  const servers = [{ url: origin, description: 'The service itself, without the path of the API' }];
  const describe = (
    operationId: keyof typeof oauthTexts,
    rest: Pick<OperationObject, 'parameters' | 'requestBody' | 'responses'>,
  ): OperationObject => ({
    operationId,
    tags: [oauthTag],
    summary: oauthTexts[operationId].en.summary,
    description: oauthTexts[operationId].en.description,
    'x-scope': '',
    servers,
    // These requests carry the client id, and no credentials.
    security: [],
    ...rest,
  });
  return {
    '/oauth/authorize': {
      get: describe('authorizeApp', {
        parameters: authorizationParameters,
        responses: authorizationResponses(origin),
      }),
    },
    '/oauth/token': {
      post: describe('issueTokens', {
        requestBody: {
          required: true,
          content: formOf('TokenRequest', {
            code: {
              summary: 'After the redirect: redeem the code',
              value: {
                grant_type: 'authorization_code',
                client_id: oauthExamples.clientId,
                code: oauthExamples.code,
                redirect_uri: oauthExamples.redirectUri,
                code_verifier: oauthExamples.verifier,
              },
            },
            refresh: {
              summary: 'Before expires_in is over: refresh',
              value: {
                grant_type: 'refresh_token',
                client_id: oauthExamples.clientId,
                refresh_token: oauthExamples.refreshToken,
              },
            },
          }),
        },
        responses: {
          200: {
            description: 'The tokens. They are not cached, and shown only here.',
            content: jsonOf('TokenResponse', {
              token_type: 'Bearer',
              expires_in: 600,
              access_token: oauthExamples.accessToken,
              refresh_token: oauthExamples.refreshToken,
              refresh_token_expires_in: 2_592_000,
              scope: oauthExamples.scope,
              merchant: 'demo',
            }),
          },
          ...oauthErrorResponses(origin, tokenErrorReasons),
        },
      }),
    },
    '/oauth/revoke': {
      post: describe('revokeToken', {
        requestBody: {
          required: true,
          content: formOf('RevocationRequest', {
            token: {
              summary: 'End the connection of a token',
              value: { client_id: oauthExamples.clientId, token: oauthExamples.refreshToken },
            },
          }),
        },
        responses: {
          200: {
            description:
              'The token opens nothing any more. Also for a token that is unknown or was revoked before.',
            content: jsonOf('Empty', {}),
          },
          ...oauthErrorResponses(origin, revocationErrorReasons),
        },
      }),
    },
    '/.well-known/oauth-authorization-server': {
      get: describe('showAuthorizationServer', {
        responses: {
          200: {
            description: 'The addresses and abilities of this authorization server.',
            content: { 'application/json': { schema: component('AuthorizationServerMetadata') } },
          },
          421: { $ref: '#/components/responses/MisdirectedRequest' },
        },
      }),
    },
  };
}

const component = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const jsonOf = (name: string, example: unknown) => ({
  'application/json': { schema: component(name), example },
});

const formOf = (name: string, examples: Record<string, { summary: string; value: unknown }>) => ({
  'application/x-www-form-urlencoded': { schema: component(name), examples },
});

function query(
  name: string,
  description: string,
  example: string,
  { required = true, values }: { required?: boolean; values?: string[] } = {},
): ParameterObject {
  const schema = values ? { type: 'string', enum: values } : { type: 'string' };
  return { name, in: 'query', required, description, schema, example };
}

const authorizationParameters: ParameterObject[] = [
  query('response_type', 'Always `code`: the redirect brings a code, never tokens.', 'code', {
    values: ['code'],
  }),
  query(
    'client_id',
    'Client id of your app, from its page in the partner area.',
    oauthExamples.clientId,
  ),
  query(
    'redirect_uri',
    'Where the merchant returns to. It must be registered for the app, character by character.',
    oauthExamples.redirectUri,
  ),
  query(
    'code_challenge',
    'SHA-256 of code_verifier in base64url (PKCE). Make a new verifier for every authorization.',
    oauthExamples.challenge,
  ),
  query('code_challenge_method', 'Always `S256`; the plain method is refused.', 'S256', {
    values: ['S256'],
  }),
  query(
    'scope',
    'What the app asks for, separated by spaces. Without it: all scopes that the app is registered with.',
    oauthExamples.scope,
    { required: false },
  ),
  query(
    'state',
    'Returned unchanged, up to 2,048 bytes: compare it to know that the answer belongs to your request.',
    oauthExamples.state,
    { required: false },
  ),
  query(
    'response_mode',
    'Only `query`, which is the default: the answer is in the query of the redirect.',
    'query',
    { required: false, values: ['query'] },
  ),
  query(
    'store',
    'Alias of the store to connect, if you know it. Without it a merchant with several stores chooses.',
    'demo',
    { required: false },
  ),
];

function authorizationResponses(origin: string): OperationObject['responses'] {
  const { redirectUri, state } = oauthExamples;
  const page = (description: string) => ({
    description,
    content: { 'text/html': { schema: { type: 'string' }, example: '<!doctype html>...' } },
  });
  const issuer = encodeURIComponent(origin);
  return {
    200: page(
      'A page for the merchant: signing in, the choice of a store, or the consent. Approve or Deny then leads to redirect_uri (303), with `code`, `merchant`, `state` and `iss`, or with `error=access_denied`.',
    ),
    302: {
      description:
        'The app made a mistake that it is told at its redirect URI: `error` is `invalid_request` (a parameter is missing, repeated or malformed) or `invalid_scope`, with `error_description`, `state` and `iss`.',
      headers: {
        Location: {
          description: 'redirect_uri with the answer in its query.',
          schema: {
            type: 'string',
            examples: [`${redirectUri}?error=invalid_scope&state=${state}&iss=${issuer}`],
          },
        },
      },
    },
    400: page(
      'A page, and no redirect: the client or its redirect URI is not valid, or the address has more than 8 KiB. It tells the developer which.',
    ),
    403: page('A page: the merchant may not connect apps to the store that was asked for.'),
  };
}
