import { mcpResource } from '../http/access/challenge.ts';

/**
 * Reads a resource indicator (RFC 8707). A request without one asks for the API, or for what its grant has. Any other
 * resource than the tools for assistants is invalid: the API has none, since apps never named it.
 */
export function readTarget(
  sent: string | undefined,
  issuer: string,
): { resource: 'mcp' | undefined } | { invalid: true } {
  if (sent === undefined) return { resource: undefined };
  return sent === mcpResource(issuer) ? { resource: 'mcp' } : { invalid: true };
}
