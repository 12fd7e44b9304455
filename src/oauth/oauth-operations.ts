import { resourceMetadataRoot } from '../http/access/access-token.ts';
import { headerReferences } from '../http/openapi/response-headers.ts';
import type { RootGroup, RootReply } from '../http/openapi/root-operations.ts';
import { Empty } from '../http/replies.ts';
import { oauthErrorBody, oauthErrors, type OAuthErrorReason } from './oauth-errors.ts';
import {
  AuthorizationQuery,
  AuthorizationServerMetadata,
  CodeRedemption,
  OAuthErrorBody,
  ProtectedResourceMetadata,
  RegistrationRequest,
  RegistrationResponse,
  RevocationRequest,
  sentBack,
  TokenForm,
  TokenRefresh,
  TokenResponse,
} from './oauth-schemas.ts';

const page = (description: string): RootReply => ({
  description,
  content: { 'text/html': { schema: { type: 'string' }, example: '<!doctype html>...' } },
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

/**
 * Returns the responses to requests that fail for one of these reasons, by status, with an example
 * of each reason.
 */
const refusals = (
  origin: string,
  reasons: readonly OAuthErrorReason[],
): Record<string, RootReply> =>
  Object.fromEntries(
    Object.entries(Object.groupBy(reasons, (reason) => oauthErrors[reason][0])).map(
      ([status, ofStatus]): [string, RootReply] => {
        const [description = '', headers] = refusalsByStatus[status] ?? [];
        const bodies = ofStatus.map((reason) => [
          reason,
          { summary: oauthErrors[reason][2], value: oauthErrorBody(reason, origin) },
        ]);
        return [
          status,
          {
            description,
            ...(headers && { headers: headerReferences(headers) }),
            schema: OAuthErrorBody,
            examples: Object.fromEntries(bodies),
          },
        ];
      },
    ),
  );

/**
 * Returns the endpoints of the authorization server as the OpenAPI document has them. `origin` is
 * where the service is. The Worker does not contain them.
 */
export const oauthOperations = (origin: string): RootGroup => ({
  tag: 'OAuth',
  operations: [
    {
      id: 'authorizeApp',
      route: 'GET /oauth/authorize',
      query: AuthorizationQuery,
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
                  `${sentBack.redirect_uri}?error=invalid_scope&state=${sentBack.state}&iss=${encodeURIComponent(origin)}`,
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
      form: {
        schema: TokenForm,
        examples: {
          code: ['After the redirect: redeem the code', CodeRedemption],
          refresh: ['Before expires_in is over: refresh', TokenRefresh],
        },
      },
      responses: {
        200: {
          description: 'The tokens. They are not cached, and shown only here.',
          schema: TokenResponse,
        },
        ...refusals(origin, tokenReasons),
      },
    },
    {
      id: 'revokeToken',
      route: 'POST /oauth/revoke',
      form: {
        schema: RevocationRequest,
        examples: { token: ['End the connection of a token', RevocationRequest] },
      },
      responses: {
        200: {
          description:
            'The token opens nothing any more. Also for a token that is unknown or was revoked before.',
          schema: Empty,
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
      json: RegistrationRequest,
      responses: {
        201: {
          description: 'The client is registered.',
          schema: RegistrationResponse,
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
          schema: ProtectedResourceMetadata,
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
          schema: AuthorizationServerMetadata,
        },
        421: { $ref: '#/components/responses/MisdirectedRequest' },
      },
    },
  ],
});
