import { authLifetimes } from '../../base/auth-lifetimes.ts';
import type { Store } from '../../data/core/store.ts';
import { agentLabel } from '../../data/directory/apps.ts';
import type { RotatedGrant } from '../../data/grants/rotate.ts';
import { formatScopeBits } from '../../data/grants/scopes.ts';
import { mintAccessToken } from '../../http/access/access-token.ts';
import type { TokenResponse } from '../oauth-schemas.ts';
import type { TokenRequest } from './request-context.ts';

/**
 * Builds the response for a grant and its current refresh token. Retries get the same access token
 * while the first one lives, so retries do not multiply tokens.
 */
export async function buildTokenResponse(
  { settings, app, now }: TokenRequest,
  grant: RotatedGrant,
  {
    refreshToken,
    store,
    shard,
    scopes = grant.scopes,
  }: { refreshToken: string; store: Store; shard: number; scopes?: number },
): Promise<TokenResponse> {
  const rotatedAt = grant.rotated_at ?? now;
  const issuedAt = now < rotatedAt + authLifetimes.accessToken ? rotatedAt : now;
  const expiresAt = issuedAt + authLifetimes.accessToken;
  const accessToken = await mintAccessToken(settings.tokenKeys, {
    grantId: grant.id,
    clientId: grant.client_id,
    userId: grant.user_id,
    storeId: grant.store_id,
    alias: store.alias,
    shard,
    scopes,
    generation: grant.generation,
    issuedAt,
    expiresAt,
    // Whether the member has the second factor that a store requires, each request asks the
    // directory.
    facts:
      store.active && !store.mfa_required
        ? {
            zone: store.zone,
            base_url: store.base_url,
            test: store.test,
            ...(store.requests_per_minute != null && {
              requests_per_minute: store.requests_per_minute,
            }),
          }
        : undefined,
    resource: grant.resource ?? undefined,
    agent: agentLabel(app),
  });
  return {
    token_type: 'Bearer',
    expires_in: Math.floor((expiresAt - now) / 1000),
    access_token: accessToken,
    refresh_token: refreshToken,
    refresh_token_expires_in: Math.floor((grant.expires_at - now) / 1000),
    scope: formatScopeBits(scopes),
    merchant: store.alias,
  };
}
