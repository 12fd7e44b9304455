import * as z from 'zod';
import { settingsOf } from '../../base/settings.ts';
import { openDatabase } from '../../data/core/open-database.ts';
import { registerAgent } from '../../data/directory/agents.ts';
import { enforceNetworkLimit } from '../../http/access/rate-limit.ts';
import { readLimitedBody } from '../../http/read-request.ts';
import { generateClientId } from '../client.ts';
import { OAuthError } from '../oauth-errors.ts';
import { hostsOf } from '../redirect-uris.ts';
import { oauthErrorResponse, oauthResponse } from '../responses.ts';
import { resolveIssuer } from '../server-metadata.ts';
import { cleanAgentName, hostOfRedirects, isAgentRedirectUri, toAgent } from './agent.ts';

const maxBodyBytes = 5_120;

const Registration = z.object({
  redirect_uris: z.array(z.string()).min(1).max(10),
  client_name: z.string().optional(),
});

/** The response to the registration of a client (RFC 7591, section 3.2.1). */
export interface RegistrationResponse {
  client_id: string;
  /** Seconds since 1970. */
  client_id_issued_at: number;
  client_name: string;
  redirect_uris: string[];
  token_endpoint_auth_method: 'none';
  grant_types: readonly string[];
  response_types: readonly string[];
}

/**
 * Handles `POST /oauth/register` (RFC 7591): an assistant registers itself. Whatever it asks for, it becomes a public client
 * that may ask for every scope of the tools; the person who consents decides. Limited per network, and by
 * how many of them wait for their first consent. One round trip.
 */
export async function handleRegistration(
  env: Env,
  request: Request,
  now: number,
): Promise<Response> {
  const settings = settingsOf(env);
  const issuer = resolveIssuer(settings, request.url);
  try {
    const { limits, maxUnusedAgents } = settings;
    const address = request.headers.get('CF-Connecting-IP');
    await enforceNetworkLimit({ env, limits, now }, 'registrations', address);
    const { client_name, redirect_uris: sent } = await readRegistration(request);
    const redirectUris = [...new Set(sent.filter(isAgentRedirectUri))];
    if (redirectUris.length === 0) throw new OAuthError('redirect_uris_invalid');
    const host = hostOfRedirects(redirectUris);
    const name = cleanAgentName(client_name) ?? host;
    const clientId = await generateClientId(settings);
    const agent = toAgent({ clientId, host, name, redirectUris });
    const directory = openDatabase(env.DIRECTORY);
    const hosts = hostsOf(redirectUris);
    const stored = await registerAgent(directory, agent, { hosts, most: maxUnusedAgents, now });
    if (stored === 'blocked') throw new OAuthError('redirect_uris_invalid');
    if (stored === 'full') {
      // By then, the unused ones of a day ago are deleted.
      throw new OAuthError('registrations_full', { headers: { 'Retry-After': '3600' } });
    }
    const registered: RegistrationResponse = {
      client_id: clientId,
      client_id_issued_at: Math.floor(now / 1000),
      client_name: name,
      redirect_uris: redirectUris,
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    };
    return oauthResponse(registered, 201);
  } catch (failure) {
    return oauthErrorResponse(failure, issuer);
  }
}

async function readRegistration(request: Request): Promise<z.output<typeof Registration>> {
  const bytes = await readLimitedBody(request, maxBodyBytes);
  if (!bytes) throw new OAuthError('metadata_invalid');
  let sent: unknown;
  try {
    sent = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    throw new OAuthError('metadata_invalid');
  }
  const { data, error } = Registration.safeParse(sent);
  if (data) return data;
  const isOfUris = error.issues.every(({ path }) => path[0] === 'redirect_uris');
  throw new OAuthError(isOfUris ? 'redirect_uris_invalid' : 'metadata_invalid');
}
