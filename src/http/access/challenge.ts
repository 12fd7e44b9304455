/** The paths of the tools for assistants: a slash at the end names the same. */
export const mcpPaths: readonly string[] = ['/mcp', '/mcp/'];

/** The address of the tools for assistants, which a token is asked for by (RFC 8707). */
export const mcpResource = (origin: string, path = '/mcp') => `${origin}${path}`;

/**
 * Where clients find who issues tokens for the tools of assistants, before their path (RFC 9728,
 * section 3.1).
 */
export const resourceMetadataRoot = '/.well-known/oauth-protected-resource';

/**
 * The challenge of the tools for a request without credentials (RFC 9728, section 5.1). It names
 * the metadata of the very `path` that was asked for: strict clients use no others (section 3.3).
 */
export const challengeOf = (origin: string, path = '/mcp') =>
  `Bearer resource_metadata="${origin}${resourceMetadataRoot}${path}"`;

/** The challenge for a token that opens something else (RFC 9728, section 5.1). */
export const wrongResourceChallenge = (origin: string, path?: string) =>
  challengeOf(origin, path).replace(' ', ' error="invalid_token", ');

/** Returns the token of an `Authorization: Bearer` header (RFC 6750, section 2.1), if it is one. */
export const bearerToken = (authorization: string | null | undefined): string | undefined =>
  /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
