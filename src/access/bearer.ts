import type { KeyRing } from '../crypto/keys.ts';
import { withDbErrors } from '../db/core/errors.ts';
import { openDatabase, type Database } from '../db/core/open.ts';
import { hasShard, shardBinding } from '../db/core/shards.ts';
import { findMembership } from '../db/directory/stores.ts';
import { assertGrantLives } from '../db/grants/guard.ts';
import { verifyAccessToken } from './access-token.ts';
import type { Caller } from './principal.ts';
import { coversScope, scopesFromBits } from './scopes.ts';

interface BearerInput {
  authorization: string;
  /** Header `X-Partner-Client-ID`. */
  clientId: string | undefined;
  alias: string | undefined;
}

/**
 * Verifies `Authorization: Bearer` and `X-Partner-Client-ID` (specification, "Authentication", step 4); returns
 * `undefined` when either is wrong. The MAC identifies the caller without a lookup; the membership comes from the
 * directory, cached for 30 seconds. The guard compares the claims with the grant, and runs in the first batch of the
 * request: whoever knows the key of the MAC can sign any claims.
 */
export async function authenticateBearer(
  env: Env,
  tokenKeys: KeyRing,
  directory: Database,
  { authorization, clientId, alias }: BearerInput,
  now: number,
): Promise<Caller | undefined> {
  const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  const claims = token === undefined ? undefined : await verifyAccessToken(tokenKeys, token, now);
  if (!claims || clientId !== claims.clientId || !hasShard(env, claims.shard)) return undefined;
  const membership = await findMembership(directory, claims.userId, claims.storeId, now);
  if (!membership) return undefined;

  const database = openDatabase(shardBinding(env, claims.shard));
  const guard = assertGrantLives(database, claims, now);
  const granted = scopesFromBits(claims.scopes);
  const { store } = membership;
  return {
    principal: {
      key: `grant:${claims.grantId}`,
      userId: claims.userId,
      clientId: claims.clientId,
      storeId: claims.storeId,
      hasScope: (scope) => coversScope(granted, scope),
    },
    store: store?.alias === alias ? store : undefined,
    guards: [guard],
    checkGrant: async () => void (await withDbErrors(database.batch([guard]))),
  };
}
