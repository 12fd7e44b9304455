import * as z from 'zod';
import { settingsOf } from '../../base/settings.ts';
import { requestSource } from '../../data/audit/audit-lines.ts';
import { openDatabase } from '../../data/core/open-database.ts';
import { registerAgent } from '../../data/directory/agents.ts';
import { enforceNetworkLimit } from '../../http/access/rate-limit.ts';
import { readLimitedBody } from '../../http/read-request.ts';
import { generateClientId } from '../client.ts';
import { oauthErrorResponse, oauthResponse } from '../endpoint-form.ts';
import { maxMetadataBytes, maxRedirectUris, OAuthError } from '../oauth-errors.ts';
import type { RegistrationResponse } from '../oauth-schemas.ts';
import { grantTypes, resolveIssuer } from '../server-metadata.ts';
import { clientMetadata, hostOfRedirects, isAgentRedirectUri, namesOf, toAgent } from './agent.ts';

const Registration = clientMetadata({ redirect_uris: z.array(z.string()).min(1) });

/**
 * Handles `POST /oauth/register` (RFC 7591): an assistant registers itself. Whatever it asks for,
 * it becomes a public client that may ask for every scope of the tools; the person who consents
 * decides. Limited per network; beyond how many may wait for their first consent, old ones give
 * way. One round trip.
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
    const metadata = await readRegistration(request);
    const sent = new Set(metadata.redirect_uris);
    if (sent.size > maxRedirectUris) throw new OAuthError('redirect_uris_too_many');
    const redirectUris = [...sent].filter(isAgentRedirectUri);
    if (redirectUris.length === 0) throw new OAuthError('redirect_uris_invalid');
    const host = hostOfRedirects(redirectUris);
    const clientId = await generateClientId(settings);
    const agent = toAgent({ clientId, host, ...namesOf(metadata, settings), redirectUris });
    const directory = openDatabase(env.DIRECTORY);
    const { network } = requestSource(request);
    const place = { network, most: maxUnusedAgents, now };
    if (!(await registerAgent(directory, agent, place))) {
      throw new OAuthError('redirect_uris_invalid');
    }
    const registered: RegistrationResponse = {
      client_id: clientId,
      client_id_issued_at: Math.floor(now / 1000),
      client_name: agent.name,
      ...Object.fromEntries(
        Object.entries(agent.names ?? {}).map(([tag, name]) => [`client_name#${tag}`, name]),
      ),
      redirect_uris: redirectUris,
      token_endpoint_auth_method: 'none',
      grant_types: [...grantTypes],
      response_types: ['code'],
    };
    return oauthResponse(registered, 201);
  } catch (failure) {
    return oauthErrorResponse(failure, issuer);
  }
}

async function readRegistration(request: Request): Promise<z.output<typeof Registration>> {
  const bytes = await readLimitedBody(request, maxMetadataBytes);
  if (!bytes) throw new OAuthError('metadata_too_large');
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
