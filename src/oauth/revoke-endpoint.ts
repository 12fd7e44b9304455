import { sql } from 'drizzle-orm';
import type { KeyRing } from '../base/crypto/keys.ts';
import { settingsOf } from '../base/settings.ts';
import { requestSource } from '../data/audit/audit-lines.ts';
import { hasShard } from '../data/core/open-database.ts';
import { wakeNotices } from '../data/grants/app-notices.ts';
import { assertGrantPlaced } from '../data/grants/grant-conditions.ts';
import { verifyAccessToken } from '../http/access/access-token.ts';
import { enforceRateLimit } from '../http/access/rate-limit.ts';
import { authenticateClient } from './client.ts';
import { readTokenForm, oauthErrorResponse, oauthResponse } from './endpoint-form.ts';
import { OAuthError } from './oauth-errors.ts';
import { revokeGrants } from './revoke-grants.ts';
import { resolveIssuer } from './server-metadata.ts';
import { inShardOfGrant } from './token/grant-steps.ts';
import { readToken } from './token/grant-tokens.ts';

/**
 * Handles `POST /oauth/revoke` (RFC 7009): revokes the grant of any token of the client, of any
 * kind, so the `token_type_hint` is not needed. The response is the same for an unknown, used or
 * foreign token. Repeated requests for one grant are limited (429). `defer` continues work after
 * the response.
 */
export async function handleRevocationRequest(
  env: Env,
  request: Request,
  now: number,
  defer: (work: Promise<unknown>) => void,
): Promise<Response> {
  try {
    const form = await readTokenForm(request);
    const app = await authenticateClient(env, request, form, now);
    const token = form.get('token');
    if (token === undefined) throw new OAuthError('token_missing');
    const { tokenKeys, limits } = settingsOf(env);
    const claims = await readAnyToken(tokenKeys, token, now);
    if (claims && hasShard(env, claims.shard)) {
      // Counts by client, too: the holder of a stolen token cannot keep its app from revoking the
      // grant.
      const key = `${app.client_id} ${claims.grantId}`;
      await enforceRateLimit({ env, limits, now }, 'revocations', key);
      const { grantId } = claims;
      await inShardOfGrant(env, claims.shard, grantId, async (database, shard) => {
        await revokeGrants(database, assertGrantPlaced(database, grantId), {
          clientId: app.client_id,
          condition: sql`id = ${grantId}`,
          reason: 'revoked_by_app',
          now,
          by: {
            actor: { kind: 'app', id: app.client_id, name: app.client_id, userId: null },
            from: requestSource(request),
          },
        });
        defer(wakeNotices(env, shard));
      });
    }
    return oauthResponse({});
  } catch (failure) {
    return oauthErrorResponse(failure, resolveIssuer(settingsOf(env), request.url));
  }
}

const readAnyToken = async (tokenKeys: KeyRing, token: string, now: number) =>
  (await readToken(tokenKeys, 'refresh', token)) ??
  (await readToken(tokenKeys, 'code', token)) ??
  (await verifyAccessToken(tokenKeys, token, now));
