import { languages } from '../base/languages.ts';
import { trialCallbackPath } from '../base/page-paths.ts';
import { type Settings, serviceOrigin } from '../base/settings.ts';
import { scopes } from '../data/grants/scopes.ts';
import { mcpResource } from '../http/access/access-token.ts';

/** The grant types that the token endpoint knows. */
export const grantTypes = ['authorization_code', 'refresh_token'] as const;

/** The authorization endpoint (RFC 6749, section 3.1). */
export const authorizePath = '/oauth/authorize';

/** Where agents register themselves (RFC 7591). */
export const registerPath = '/oauth/register';

/** The redirect URI of a trial of an app. Only the partner of an app, and the team, may use it. */
export const trialRedirectUri = (issuer: string) => `${issuer}${trialCallbackPath}`;

/** Returns the metadata document of the authorization server (RFC 8414, section 2). */
export const authorizationServerMetadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}${authorizePath}`,
  token_endpoint: `${issuer}/oauth/token`,
  revocation_endpoint: `${issuer}/oauth/revoke`,
  registration_endpoint: `${issuer}${registerPath}`,
  client_id_metadata_document_supported: true,
  service_documentation: `${issuer}/docs`,
  scopes_supported: scopes,
  ui_locales_supported: languages,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: grantTypes,
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
});

/**
 * Returns the metadata document of the tools for assistants as a resource, at a `path` of theirs
 * (RFC 9728, section 2).
 */
export const protectedResourceMetadata = (issuer: string, path?: string) => ({
  resource: mcpResource(issuer, path),
  authorization_servers: [issuer],
  scopes_supported: scopes,
  bearer_methods_supported: ['header'],
  resource_documentation: `${issuer}/docs`,
});

/**
 * Returns the issuer (RFC 8414; `iss` of RFC 9207): the address of this server without a final
 * slash.
 */
export function resolveIssuer({ authUrl }: Pick<Settings, 'authUrl'>, requestUrl: string): string {
  return serviceOrigin({ authUrl }, requestUrl);
}
