import { sha256 } from '../../base/crypto/digest.ts';
import {
  type Database,
  hasShard,
  openDatabase,
  shardBinding,
} from '../../data/core/open-database.ts';
import { isAgent } from '../../data/directory/apps.ts';
import { wakeNotices } from '../../data/grants/app-notices.ts';
import { rotateGrant, takeBackRedemption, type RotatedGrant } from '../../data/grants/rotate.ts';
import { OAuthError, type OAuthErrorReason } from '../oauth-errors.ts';
import type { TokenResponse } from '../oauth-schemas.ts';
import { finishRedemption, readCodeRecord } from '../vault.ts';
import {
  findGrantedStore,
  inShardOfGrant,
  enforceGrantRateLimit,
  isOtherResource,
  refreshLifetime,
  type TokenRequest,
  buildTokenResponse,
} from './grant-steps.ts';
import { createSuccessor, readToken } from './grant-tokens.ts';

/**
 * Redeems an authorization code: once, and only with the client, verifier and redirect URI of its
 * request. An agent may leave the redirect URI out, as OAuth 2.1 does (section 10.2): PKCE binds
 * the code. Costs one batch in the database of the grant, and one round trip to the directory
 * before tokens leave. A code that we did not issue costs no I/O. Whatever is refused, or fails,
 * leaves the code usable.
 */
export async function redeemCode(request: TokenRequest): Promise<TokenResponse> {
  const { env, settings, form, app, resource, now, defer } = request;
  const code = form.get('code');
  if (code === undefined) throw new OAuthError('code_missing');
  const claims = await readToken(settings.tokenKeys, 'code', code);
  if (!claims || !hasShard(env, claims.shard)) throw new OAuthError('code_malformed');
  const verifier = form.get('code_verifier');
  if (verifier === undefined) throw new OAuthError('verifier_missing');
  const { grantId, generation, expiresAt } = claims;
  await enforceGrantRateLimit(request, grantId);

  const redirectUri = form.get('redirect_uri') ?? (isAgent(app) ? undefined : '');
  const [challenge, redirectHash] = await Promise.all([
    computeChallenge(verifier),
    redirectUri === undefined ? undefined : sha256(redirectUri),
  ]);
  const lifetime = refreshLifetime(app);
  const record = readCodeRecord(env, code);
  const rotate = async (database: Database, shard: number) => {
    const named = { ...claims, shard };
    const { token: refreshToken, ...successor } = await createSuccessor(
      settings.tokenKeys,
      named,
      code,
      now + lifetime,
    );
    const rotated = await rotateGrant(database, {
      grantId,
      clientId: app.client_id,
      generation,
      ...successor,
      scopes: 0,
      resource,
      lifetime,
      proof: { challenge, redirectHash },
      now,
    });
    return { ...rotated, refreshToken, shard, successor };
  };
  const { grant, isRotated, refreshToken, shard, successor } = await inShardOfGrant(
    env,
    claims.shard,
    grantId,
    rotate,
  );
  defer(finishRedemption(env, { record, grant, claims, isRotated }));
  if (!isRotated || !grant) {
    if (grant?.revoked_at) defer(wakeNotices(env, shard));
    throw new OAuthError(
      findCodeError(grant, { clientId: app.client_id, resource, now, expiresAt }),
    );
  }
  const store = await findGrantedStore(request, grant, shard).catch(async (error: unknown) => {
    const database = openDatabase(shardBinding(env, shard));
    await takeBackRedemption(database, { grantId, ...successor });
    throw error;
  });
  if (!store) throw new OAuthError('code_revoked');
  return buildTokenResponse(request, grant, { refreshToken, store, shard });
}

/**
 * Computes the challenge of a verifier (RFC 7636, section 4.6). A malformed verifier yields a value
 * that matches no challenge, so that all verifier failures look alike.
 */
async function computeChallenge(verifier: string): Promise<string> {
  return /^[A-Za-z0-9\-._~]{43,128}$/.test(verifier) ? sha256(verifier) : 'none';
}

interface PresentedCode {
  clientId: string;
  resource: 'mcp' | undefined;
  now: number;
  /** From the claims of the code, for when its grant was deleted. */
  expiresAt: number;
}

type CodeCheck = [
  reason: OAuthErrorReason,
  applies: (grant: RotatedGrant, presented: PresentedCode) => boolean,
];

/**
 * The order of these checks limits what they reveal. Another client learns nothing about the code,
 * and a caller without the verifier learns nothing about the redirect URI.
 */
const codeChecks: readonly CodeCheck[] = [
  ['client_invalid', (grant, { clientId }) => grant.client_id !== clientId],
  ['code_expired', (grant, { now }) => now >= grant.code_expires_at],
  ['code_revoked', (grant) => grant.generation > 0 || grant.revoked_at !== null],
  ['verifier_mismatch', (grant) => grant.isVerified === 0],
  ['redirect_uri_mismatch', (grant) => grant.isSameRedirect === 0],
  ['target_invalid', (grant, { resource }) => isOtherResource(grant, resource)],
];

/** Returns the reason why a code that did not rotate its grant gets no tokens. */
function findCodeError(
  grant: RotatedGrant | undefined,
  presented: PresentedCode,
): OAuthErrorReason {
  if (!grant) return presented.now >= presented.expiresAt ? 'code_expired' : 'code_revoked';
  return codeChecks.find(([, applies]) => applies(grant, presented))?.[0] ?? 'code_revoked';
}
