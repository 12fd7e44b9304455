import { mintAccessToken } from '../access/access-token.ts';
import type { SteppedGrant } from '../db/grants/advance.ts';
import { lifetimes } from '../lifetimes.ts';
import { scopeText } from './scope-text.ts';
import type { TokenRequest } from './token-request.ts';

/** The answer of the token endpoint (RFC 6749, section 5.1); times are in seconds. */
export interface Tokens {
  token_type: 'Bearer';
  expires_in: number;
  access_token: string;
  refresh_token: string;
  refresh_token_expires_in: number;
  scope: string;
  /** Alias of the store. */
  merchant: string;
}

/**
 * The tokens of a grant whose head is this refresh token. The access token is the same for every retry
 * while the first one lives, so that retries do not multiply tokens.
 */
export async function tokensOf(
  { settings, now }: TokenRequest,
  grant: SteppedGrant,
  refreshToken: string,
  shard: number,
  scopes = grant.scopes,
): Promise<Tokens> {
  const rotatedAt = grant.rotated_at ?? now;
  const issuedAt = now < rotatedAt + lifetimes.accessToken ? rotatedAt : now;
  const expiresAt = issuedAt + lifetimes.accessToken;
  const access_token = await mintAccessToken(settings.tokenKeys, {
    grantId: grant.id,
    clientId: grant.client_id,
    userId: grant.user_id,
    storeId: grant.store_id,
    alias: grant.merchant,
    shard,
    scopes,
    generation: grant.generation,
    issuedAt,
    expiresAt,
  });
  return {
    token_type: 'Bearer',
    expires_in: Math.floor((expiresAt - now) / 1000),
    access_token,
    refresh_token: refreshToken,
    refresh_token_expires_in: Math.floor((grant.expires_at - now) / 1000),
    scope: scopeText(scopes),
    merchant: grant.merchant,
  };
}
