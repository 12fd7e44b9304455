import { sql } from 'drizzle-orm';
import { verifyAccessToken } from '../access/access-token.ts';
import type { KeyRing } from '../crypto/key-ring.ts';
import { answered } from '../db/answered.ts';
import { revoking } from '../db/grants/revoking.ts';
import { openShard } from '../db/open.ts';
import { shardBinding } from '../db/shards.ts';
import { steadily } from '../db/steadily.ts';
import { settingsOf } from '../settings.ts';
import { answer, refuseToken } from './answer.ts';
import { clientOf } from './client-of.ts';
import { readForm } from './form.ts';
import { readToken } from './token.ts';
import { TokenRefusal } from './token-refusal.ts';

/**
 * POST /oauth/revoke (RFC 7009): ends the grant of any token of the client, whatever its kind; the hint is
 * not needed. A token that is unknown, spent or somebody else's is answered like one that was revoked.
 */
export async function revokeEndpoint(env: Env, request: Request, now: number): Promise<Response> {
  try {
    const form = await readForm(request);
    const app = await clientOf(env, request, form, now);
    const token = form.get('token');
    if (token === undefined) throw new TokenRefusal('token is missing');
    const facts = await factsOf(settingsOf(env).tokenKeys, token, now);
    if (facts) {
      const shard = openShard(shardBinding(env, facts.shard));
      const own = sql`id = ${facts.grantId} and client_id = ${app.client_id}`;
      await steadily(() => answered(shard.batch(revoking(shard, own, 'revoked by the app', now))));
    }
    return answer({});
  } catch (failure) {
    return refuseToken(failure);
  }
}

const factsOf = async (ring: KeyRing, token: string, now: number) =>
  (await readToken(ring, 'refresh', token)) ??
  (await readToken(ring, 'code', token)) ??
  (await verifyAccessToken(ring, token, now));
