import type { SteppedGrant } from '../../db/grants/advance.ts';
import type { TokenRefusalReason } from '../refusals.ts';

/** R3 to R5, in this order, for a refresh token that neither moved its chain nor may be answered again. */
export function whyRefreshIsRefused(
  grant: SteppedGrant | undefined,
  by: { clientId: string; generation: number; now: number },
): TokenRefusalReason {
  if (!grant) return 'refresh_token is dead';
  if (grant.client_id !== by.clientId) return 'client is wrong';
  const isLive = grant.revoked_at === null && by.now < grant.expires_at;
  const isKnown = by.generation <= grant.generation;
  return isLive && isKnown && grant.isWithinScopes === 0
    ? 'scope is too wide'
    : 'refresh_token is dead';
}
