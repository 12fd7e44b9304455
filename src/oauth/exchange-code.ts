import { sha256 } from '../crypto/sha256.ts';
import { advance } from '../db/grants/advance.ts';
import { openShard } from '../db/open.ts';
import { shardBinding } from '../db/shards.ts';
import { challengeOfVerifier } from './checks/challenge-of-verifier.ts';
import { whyCodeIsRefused } from './checks/why-code-is-refused.ts';
import { limitedGrant } from './limited-grant.ts';
import { makeSuccessor } from './successor.ts';
import { readToken } from './token.ts';
import { TokenRefusal } from './token-refusal.ts';
import type { TokenRequest } from './token-request.ts';
import { tokensOf, type Tokens } from './tokens.ts';
import { keepGrant, recordOfCode } from './vault.ts';
import { watchForLoss } from './watch-for-loss.ts';

/**
 * Redeems an authorization code (C1 to C8): once, for the client, verifier and redirect URI it was asked with.
 * One batch in the database of its grant; none for a code that we did not make.
 */
export async function exchangeCode(request: TokenRequest): Promise<Tokens> {
  const { env, settings, form, app, now, defer } = request;
  const code = form.get('code');
  if (code === undefined) throw new TokenRefusal('code is missing');
  const facts = await readToken(settings.tokenKeys, 'code', code);
  if (!facts) throw new TokenRefusal('code is malformed');
  const verifier = form.get('code_verifier');
  if (verifier === undefined) throw new TokenRefusal('verifier is missing');
  await limitedGrant(request, facts.grantId);

  const [successor, challenge, redirectHash] = await Promise.all([
    makeSuccessor(request, facts, code),
    challengeOfVerifier(verifier),
    sha256(form.get('redirect_uri') ?? ''),
  ]);
  const record = recordOfCode(env, code);
  const { grant, isWon } = await advance(openShard(shardBinding(env, facts.shard)), {
    grantId: facts.grantId,
    clientId: app.client_id,
    generation: facts.generation,
    presented: successor.presentedHash,
    successor: successor.successorHash,
    sealed: successor.sealed,
    scopes: 0,
    proof: { challenge, redirectHash },
    now,
  });
  defer(watchForLoss(record, grant, facts));
  if (!isWon || !grant) {
    const by = { clientId: app.client_id, now, expiresAt: facts.expiresAt };
    throw new TokenRefusal(whyCodeIsRefused(grant, by));
  }
  defer(keepGrant(env, grant));
  return tokensOf(request, grant, successor.token, facts.shard);
}
