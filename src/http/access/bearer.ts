import type { KeyRing } from '../../base/crypto/keys.ts';
import {
  openDatabase,
  type Database,
  hasShard,
  shardBinding,
} from '../../data/core/open-database.ts';
import type { Store } from '../../data/core/store.ts';
import { knownMembership, loadMembership } from '../../data/directory/stores.ts';
import { isGrantLive } from '../../data/grants/grant-conditions.ts';
import { coversScope, scopesFromBits } from '../../data/grants/scopes.ts';
import { guardStatement } from '../../data/shards/guard.ts';
import { followMove, factsOf } from '../../data/shards/placements.ts';
import { verifyAccessToken, type AccessClaims } from './access-token.ts';
import { bearerToken } from './challenge.ts';
import type { Caller, Resource } from './principal.ts';

interface BearerInput {
  authorization: string;
  /** Header `X-Partner-Client-ID`. */
  clientId: string | undefined;
  /** The resource of the request. */
  resource: Resource;
  alias: string | undefined;
  /** Asks the directory where the store is, not the token or the cache. */
  isFresh: boolean;
}

/**
 * Verifies `Authorization: Bearer` and `X-Partner-Client-ID` (specification, "Authentication", step
 * 4); returns `undefined` when either is wrong, or the token is for another resource. Assistants
 * need not send a client id.
 *
 * The MAC identifies the caller without a lookup, and the token holds the facts of the store that
 * the request needs. The guard compares all claims with the database of the store, in the first
 * batch of the request. A holder of the MAC key can sign any claims. The directory is asked only
 * before a refusal, and when the facts of the token are old. The isolate then caches the new facts
 * for 30 seconds.
 */
export async function authenticateBearer(
  env: Env,
  tokenKeys: KeyRing,
  directory: Database,
  { authorization, clientId, resource, alias, isFresh }: BearerInput,
  now: number,
): Promise<Caller | undefined> {
  const token = bearerToken(authorization);
  const claims = token === undefined ? undefined : await verifyAccessToken(tokenKeys, token, now);
  if (!claims || audienceOf(claims) !== resource || !hasShard(env, claims.shard)) return undefined;
  const isNamed = clientId === claims.clientId || (resource === 'mcp' && clientId === undefined);
  if (!isNamed) return undefined;
  const { userId, storeId } = claims;
  const asked = { userId, storeId, alias: alias ?? '' };
  const known = isFresh ? undefined : knownMembership(asked, now);
  const claimed = known || isFresh || claims.alias !== alias ? undefined : storeFromClaims(claims);
  const membership = claimed
    ? { store: claimed, isCalled: true, lacksFactor: false }
    : known
      ? known.value
      : await loadMembership(directory, asked, now);
  if (!membership) return undefined;
  const { isCalled, lacksFactor } = membership;
  const found = isFresh && membership.store;
  const store = found ? await followMove(env, found) : membership.store;
  const facts = claimed && factsOf(claimed);

  const database = openDatabase(shardBinding(env, store?.shard ?? claims.shard));
  const conditions = [isGrantLive(claims, now)];
  const guard = { storeId, isReadOnly: true, facts, conditions };
  const granted = scopesFromBits(claims.scopes);
  return {
    principal: {
      key: `grant:${claims.grantId}`,
      userId,
      clientId: claims.clientId,
      agent: claims.agent ?? null,
      apiKeyId: null,
      keyName: null,
      storeIds: [storeId],
      isRestricted: true,
      hasScope: (scope) => coversScope(granted, scope),
    },
    store: isCalled && !lacksFactor ? store : undefined,
    withheld: isCalled && lacksFactor && store?.active ? 'second_factor_required' : undefined,
    operator: undefined,
    facts,
    conditions,
    checkGrant: async () => void (await database.batch([guardStatement(database, guard)])),
  };
}

/** The resource that a token opens. */
export const audienceOf = ({ resource }: AccessClaims): Resource => resource ?? 'api';

/**
 * The store as a token describes it; `undefined` if it was not active then, or required a second
 * factor.
 */
const storeFromClaims = ({ facts, storeId, alias, shard }: AccessClaims): Store | undefined =>
  facts && { id: storeId, alias, shard, ...facts, active: true };
