import { sql } from 'drizzle-orm';
import { verifyAccessToken } from '../../access/access-token.ts';
import type { KeyRing } from '../../crypto/keys.ts';
import { shardBinding } from '../../db/core/shards.ts';
import { settingsOf } from '../../settings.ts';
import { authenticateClient } from '../apps/client.ts';
import { OAuthError } from '../errors.ts';
import { readTokenForm } from '../parameters.ts';
import { oauthErrorResponse, oauthResponse } from '../responses.ts';
import { readToken } from '../token/grant-tokens.ts';
import { revokeGrants } from './revoke-grants.ts';

/**
 * Handles `POST /oauth/revoke` (RFC 7009): revokes the grant of any token of the client, whatever its kind, so the
 * `token_type_hint` is not needed. The response is the same for an unknown, used or foreign token.
 */
export async function handleRevocationRequest(
  env: Env,
  request: Request,
  now: number,
): Promise<Response> {
  try {
    const form = await readTokenForm(request);
    const app = await authenticateClient(env, request, form, now);
    const token = form.get('token');
    if (token === undefined) throw new OAuthError('token_missing');
    const claims = await readAnyToken(settingsOf(env).tokenKeys, token, now);
    if (claims) {
      const binding = shardBinding(env, claims.shard);
      const ofToken = sql`id = ${claims.grantId}`;
      await revokeGrants(binding, app.client_id, ofToken, 'revoked_by_app', now);
    }
    return oauthResponse({});
  } catch (failure) {
    return oauthErrorResponse(failure);
  }
}

const readAnyToken = async (tokenKeys: KeyRing, token: string, now: number) =>
  (await readToken(tokenKeys, 'refresh', token)) ??
  (await readToken(tokenKeys, 'code', token)) ??
  (await verifyAccessToken(tokenKeys, token, now));
