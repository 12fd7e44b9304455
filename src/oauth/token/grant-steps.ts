import { sql } from 'drizzle-orm';
import { authLifetimes } from '../../base/auth-lifetimes.ts';
import { StoreElsewhere } from '../../base/errors.ts';
import type { Settings } from '../../base/settings.ts';
import {
  type Database,
  hasShard,
  openDatabase,
  shardBinding,
} from '../../data/core/open-database.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import type { Store } from '../../data/core/store.ts';
import { type App, agentLabel } from '../../data/directory/apps.ts';
import { selectFormerMembers } from '../../data/directory/members.ts';
import { loadMembership } from '../../data/directory/stores.ts';
import { wakeNotices } from '../../data/grants/app-notices.ts';
import { revokeGrantsOfFormerMembers, type Grantor } from '../../data/grants/former-members.ts';
import type { RotatedGrant } from '../../data/grants/rotate.ts';
import { formatScopeBits } from '../../data/grants/scopes.ts';
import { oauthGrants } from '../../data/schema/store/grants-tables.ts';
import { placements, PlacementState } from '../../data/schema/store/placement-tables.ts';
import { mintAccessToken } from '../../http/access/access-token.ts';
import { enforceRateLimit } from '../../http/access/rate-limit.ts';
import type { RequestParameters } from '../endpoint-form.ts';
import type { TokenResponse } from '../oauth-schemas.ts';

/** A request to the token endpoint whose form was read and whose client is known. */
export interface TokenRequest {
  env: Env;
  settings: Settings;
  form: RequestParameters;
  app: App;
  /** The resource that the form names; `undefined` leaves the one of the grant. */
  resource: 'mcp' | undefined;
  now: number;
  /** Continues work after the response (`waitUntil`). */
  defer: (work: Promise<unknown>) => void;
}

/** Limits the requests of one grant per minute; throws a 429. */
export const enforceGrantRateLimit = ({ env, settings, now }: TokenRequest, grantId: string) =>
  enforceRateLimit({ env, limits: settings.limits, now }, 'api', `token:${grantId}`);

/** How long a refresh token of an app lives unless it is used, in milliseconds. */
export const refreshLifetime = ({ host }: Pick<App, 'host'>) =>
  host === null ? authLifetimes.refreshToken : authLifetimes.agentRefreshToken;

/** Whether a request names another resource than that of its grant. */
export const isOtherResource = (
  grant: Pick<RotatedGrant, 'resource'>,
  resource: TokenRequest['resource'],
) => resource !== undefined && grant.resource !== resource;

/** Moves that a token follows. A store moves seldom, and a new token names its shard. */
const maxMoves = 8;

/**
 * Runs `work` in the shard of a grant: the one that a token names, or the one that the store has
 * moved to since. `work` must change nothing when it throws `StoreElsewhere`. Costs nothing more
 * unless the store has moved.
 */
export async function inShardOfGrant<T>(
  env: Env,
  named: number,
  grantId: string,
  work: (database: Database, shard: number) => Promise<T>,
): Promise<T> {
  let shard = named;
  for (let moves = 0; ; moves += 1) {
    const database = openDatabase(shardBinding(env, shard));
    try {
      return await work(database, shard);
    } catch (error) {
      if (!(error instanceof StoreElsewhere)) throw error;
      const next = await findForwardingOfGrant(database, grantId);
      if (next === undefined || !hasShard(env, next) || moves === maxMoves) throw error;
      shard = next;
    }
  }
}

/**
 * Finds the shard that the store of a grant went to from this one; `undefined` if it did not leave.
 * Grants stay in the old shard as long as a token may name it. One round trip.
 */
async function findForwardingOfGrant(
  shard: Database,
  grantId: string,
): Promise<number | undefined> {
  const [rows] = await shard.batch([
    rawDatabaseStatement<{ to_shard: number }>(
      shard,
      sql`select to_shard from ${placements} where state = ${PlacementState.gone}
          and store_id = (select store_id from ${oauthGrants} where id = ${grantId})`,
    ),
  ]);
  return rows[0]?.to_shard;
}

/**
 * Revokes the grants that users gave in stores that they no longer manage: the directory cannot end
 * them in one transaction. Returns whether one of the grantors was such a user. One round trip to
 * the directory.
 */
export async function endFormerMemberships(
  env: Env,
  shard: Database,
  grantors: readonly Grantor[],
  now: number,
): Promise<boolean> {
  const former = await selectFormerMembers(openDatabase(env.DIRECTORY), grantors);
  if (former.length > 0) await revokeGrantsOfFormerMembers(shard, former, now);
  return former.length > 0;
}

/**
 * Returns the store of a grant if the user who gave it still manages the store. If not, revokes the
 * grants that the user gave there. Asks the directory without the cache: a refresh is rare, and
 * gives access for ten minutes.
 */
export async function findGrantedStore(
  { env, now, defer }: TokenRequest,
  { user_id: userId, store_id: storeId, store_alias: alias }: RotatedGrant,
  shard: number,
): Promise<Store | undefined> {
  const asked = { userId, storeId, alias };
  const membership = await loadMembership(openDatabase(env.DIRECTORY), asked, now);
  if (membership?.store) return membership.store;
  const database = openDatabase(shardBinding(env, shard));
  await revokeGrantsOfFormerMembers(database, [{ userId, storeId }], now);
  defer(wakeNotices(env, shard));
  return undefined;
}

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
