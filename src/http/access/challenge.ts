/** The address of the tools for assistants, which a token is asked for by (RFC 8707). */
export const mcpResource = (origin: string) => `${origin}/mcp`;

/** Where clients find who issues tokens for the tools of assistants (RFC 9728, section 3.1). */
export const resourceMetadataPath = '/.well-known/oauth-protected-resource/mcp';

/** The challenge of the tools for a request without credentials (RFC 9728, section 5.1). */
export const challengeOf = (origin: string) =>
  `Bearer resource_metadata="${origin}${resourceMetadataPath}"`;

/** The challenge for a token that opens something else (RFC 9728, section 5.1). */
export const wrongResourceChallenge = (origin: string) =>
  `Bearer error="invalid_token", resource_metadata="${origin}${resourceMetadataPath}"`;

/** Returns the token of an `Authorization: Bearer` header (RFC 6750, section 2.1), if it is one. */
export const bearerToken = (authorization: string | null | undefined): string | undefined =>
  /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
