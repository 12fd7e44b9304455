import { authLifetimes } from '../../base/auth-lifetimes.ts';
import { unseal } from '../../base/crypto/seal.ts';
import { TtlCache } from '../../base/ttl-cache.ts';
import { type Database, hasShard } from '../../data/core/open-database.ts';
import { wakeNotices } from '../../data/grants/app-notices.ts';
import { fastForwardGrant, isRolledBack } from '../../data/grants/fast-forward.ts';
import { rotateGrant, type RotatedGrant, type RotationResult } from '../../data/grants/rotate.ts';
import { allScopeBits, parseScopeBits } from '../../data/grants/scopes.ts';
import { OAuthError, type OAuthErrorReason } from '../oauth-errors.ts';
import type { TokenResponse } from '../oauth-schemas.ts';
import { finishRefresh, readGrantRecord } from '../vault.ts';
import {
  findGrantedStore,
  inShardOfGrant,
  enforceGrantRateLimit,
  isOtherResource,
  refreshLifetime,
  type TokenRequest,
  buildTokenResponse,
} from './grant-steps.ts';
import { createSuccessor, keyFromToken, readToken, successorContext } from './grant-tokens.ts';

/**
 * Revoked grants, which stay revoked: repeated requests with their tokens do not reach the
 * database.
 */
const revokedGrants = new TtlCache<true>(authLifetimes.authCacheTtl, 10_000);

/**
 * A bit that no grant has. An unknown scope is thus rejected like one beyond the grant, after all
 * other checks.
 */
const unknownScopeBit = 1 << 30;

/**
 * Exchanges a refresh token for its successor. A retry of a token that was just used gets the same
 * successor, because the first response may have been lost. Any other second use revokes the grant.
 * Costs one batch in the database of the grant, or three after a restore rolled the grant back.
 * Costs one round trip to the directory before tokens leave. A token that we did not issue costs no
 * I/O.
 */
export async function refreshTokens(request: TokenRequest): Promise<TokenResponse> {
  const { env, settings, form, app, resource, now, defer } = request;
  const presented = form.get('refresh_token');
  if (presented === undefined) throw new OAuthError('refresh_token_missing');
  const claims = await readToken(settings.tokenKeys, 'refresh', presented);
  if (!claims || !hasShard(env, claims.shard)) throw new OAuthError('refresh_token_malformed');
  const { grantId, generation, expiresAt } = claims;
  const cacheKey = `${app.client_id} ${grantId}`;
  if (revokedGrants.get(cacheKey, now)) throw new OAuthError('refresh_token_revoked');
  await enforceGrantRateLimit(request, grantId);

  const requested = form.get('scope');
  const scopes =
    requested === undefined ? 0 : (parseScopeBits(requested, allScopeBits) ?? unknownScopeBit);
  const lifetime = refreshLifetime(app);
  const record = readGrantRecord(env, grantId);
  const rotate = async (database: Database, shard: number) => {
    const named = { ...claims, shard };
    const { token: candidate, ...successor } = await createSuccessor(
      settings.tokenKeys,
      named,
      presented,
      now + lifetime,
    );
    const attempt = {
      grantId,
      clientId: app.client_id,
      generation,
      ...successor,
      scopes,
      resource,
      lifetime,
      proof: undefined,
      expiresAt,
      now,
    };
    let result = await rotateGrant(database, attempt);
    if (isRolledBack(result.grant, attempt)) {
      await fastForwardGrant(database, attempt);
      result = await rotateGrant(database, attempt);
    }
    return { result, candidate, shard };
  };
  const { result, candidate, shard } = await inShardOfGrant(env, claims.shard, grantId, rotate);
  const { grant } = result;
  const refreshToken = result.isRotated
    ? candidate
    : await recoverSuccessor(result, { presented, resource, now });
  const isIssued = refreshToken !== undefined;
  defer(finishRefresh(env, { record, grant, claims, isIssued }));
  if (!isIssued || !grant) {
    const presentedBy = { clientId: app.client_id, resource, generation, now };
    const reason = findRefreshError(grant, presentedBy);
    if (reason === 'refresh_token_revoked' && grant?.revoked_at) {
      revokedGrants.set(cacheKey, true, now);
      defer(wakeNotices(env, shard));
    }
    throw new OAuthError(reason);
  }
  const store = await findGrantedStore(request, grant, shard);
  if (!store) throw new OAuthError('refresh_token_revoked');
  return buildTokenResponse(request, grant, {
    refreshToken,
    store,
    shard,
    scopes: scopes || grant.scopes,
  });
}

/** Returns the successor again for an allowed retry. Only the presented token can decrypt it. */
async function recoverSuccessor(
  { grant, isRecovered }: RotationResult,
  { presented, resource, now }: { presented: string; resource: 'mcp' | undefined; now: number },
): Promise<string | undefined> {
  if (!grant || grant.encrypted_successor === null || grant.revoked_at !== null) return undefined;
  if (isOtherResource(grant, resource)) return undefined;
  const isHotRetry = grant.isHotRetry === 1 && grant.isWithinScopes === 1 && now < grant.expires_at;
  if (!isHotRetry && !isRecovered) return undefined;
  const key = await keyFromToken(presented);
  return unseal(key, grant.encrypted_successor, successorContext(grant.id));
}

/**
 * Returns the reason why a refresh token that neither rotated its grant nor was an allowed retry
 * gets no tokens.
 */
function findRefreshError(
  grant: RotatedGrant | undefined,
  presented: {
    clientId: string;
    resource: 'mcp' | undefined;
    generation: number;
    now: number;
  },
): OAuthErrorReason {
  if (!grant) return 'refresh_token_revoked';
  if (grant.client_id !== presented.clientId) return 'client_invalid';
  const isActive = grant.revoked_at === null && presented.now < grant.expires_at;
  const isKnown = presented.generation <= grant.generation;
  if (!isActive || !isKnown) return 'refresh_token_revoked';
  if (isOtherResource(grant, presented.resource)) return 'target_invalid';
  return grant.isWithinScopes === 0 ? 'scope_too_wide' : 'refresh_token_revoked';
}
