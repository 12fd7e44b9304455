import type { KeyRing } from '../crypto/keys.ts';
import { withDbErrors } from '../db/core/errors.ts';
import { openDatabase, type Database } from '../db/core/open.ts';
import type { Store } from '../db/core/store.ts';
import { knownMembership, loadMembership } from '../db/directory/stores.ts';
import { isGrantLive } from '../db/grants/guard.ts';
import { followMove } from '../db/shards/follow-move.ts';
import { factsOf, guardStatement } from '../db/shards/residents.ts';
import { hasShard, shardBinding } from '../db/shards/shards.ts';
import { verifyAccessToken, type AccessClaims } from './access-token.ts';
import type { Caller } from './principal.ts';
import { coversScope, scopesFromBits } from './scopes.ts';

interface BearerInput {
  authorization: string;
  /** Header `X-Partner-Client-ID`. */
  clientId: string | undefined;
  alias: string | undefined;
  /** Asks the directory where the store is, whatever the token and the isolate say. */
  isFresh: boolean;
}

/**
 * Verifies `Authorization: Bearer` and `X-Partner-Client-ID` (specification, "Authentication", step 4); returns
 * `undefined` when either is wrong. The MAC identifies the caller without a lookup, and the token tells what the request
 * needs of the store. The guard compares all claims with the database of the store, in the first batch of the request:
 * whoever knows the key of the MAC can sign any. The directory is asked only before a refusal, and when the facts of
 * the token are old; the isolate then knows better for 30 seconds.
 */
export async function authenticateBearer(
  env: Env,
  tokenKeys: KeyRing,
  directory: Database,
  { authorization, clientId, alias, isFresh }: BearerInput,
  now: number,
): Promise<Caller | undefined> {
  const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  const claims = token === undefined ? undefined : await verifyAccessToken(tokenKeys, token, now);
  if (!claims || clientId !== claims.clientId || !hasShard(env, claims.shard)) return undefined;
  const { userId, storeId } = claims;
  const known = isFresh ? undefined : knownMembership(userId, storeId, now);
  const claimed = known || isFresh || claims.alias !== alias ? undefined : storeFromClaims(claims);
  const membership = claimed
    ? { store: claimed }
    : known
      ? known.value
      : await loadMembership(directory, userId, storeId, now);
  if (!membership) return undefined;
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
      apiKeyId: null,
      keyName: null,
      storeIds: [storeId],
      isRestricted: true,
      hasScope: (scope) => coversScope(granted, scope),
    },
    store: store?.alias === alias ? store : undefined,
    isStoreWithheld: false,
    operator: undefined,
    facts,
    conditions,
    checkGrant: async () =>
      void (await withDbErrors(database.batch([guardStatement(database, guard)]))),
  };
}

/** The store as a token knows it; `undefined` if it was not active then. */
const storeFromClaims = ({ facts, storeId, alias, shard }: AccessClaims): Store | undefined =>
  facts && { id: storeId, alias, shard, ...facts, active: true };
