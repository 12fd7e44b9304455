import type { KeyRing } from '../crypto/key-ring.ts';
import { answered } from '../db/answered.ts';
import { grantLives } from '../db/grants/grant-lives.ts';
import { openShard, type Shard } from '../db/open.ts';
import { shardBinding } from '../db/shards.ts';
import { storeOfUser } from '../db/store-of-user.ts';
import { verifyAccessToken } from './access-token.ts';
import type { Caller } from './admit.ts';
import { covers, scopesOf } from './scopes.ts';

interface Sent {
  authorization: string;
  /** Header `X-Partner-Client-ID`. */
  clientId: string | undefined;
  alias: string | undefined;
}

/**
 * Checks `Authorization: Bearer` and `X-Partner-Client-ID` (specification, "Authentication", step 4). The MAC
 * says who calls, without a look-up; the directory is asked for the store at most every 30 seconds. Whether
 * the grant was revoked is the guard's business, which runs in the batch of the row; where there is none
 * (`/auth/me`, a refusal) it has a round trip of its own. `undefined` when the token or its client is wrong.
 */
export async function identifyBearer(
  env: Env,
  ring: KeyRing,
  directory: Shard,
  { authorization, clientId, alias }: Sent,
  now: number,
): Promise<Caller | undefined> {
  const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  const claims = token === undefined ? undefined : await verifyAccessToken(ring, token, now);
  if (!claims || clientId !== claims.clientId) return undefined;
  const standing = await storeOfUser(directory, claims.userId, claims.storeId, now);
  if (!standing) return undefined;

  const shard = openShard(shardBinding(env, claims.shard));
  const guard = grantLives(shard, claims.grantId);
  const granted = scopesOf(claims.scopes);
  const { store } = standing;
  return {
    principal: {
      key: `grant:${claims.grantId}`,
      userId: claims.userId,
      clientId: claims.clientId,
      storeId: claims.storeId,
      may: (scope) => covers(granted, scope),
    },
    store: store?.alias === alias ? store : undefined,
    guards: [guard],
    assure: async () => void (await answered(shard.batch([guard]))),
  };
}
