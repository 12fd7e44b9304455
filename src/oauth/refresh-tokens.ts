import { unseal } from '../crypto/seal.ts';
import { Believed } from '../db/believed.ts';
import { advance, type Stepped } from '../db/grants/advance.ts';
import { forward, isSetBack } from '../db/grants/forward.ts';
import { openShard } from '../db/open.ts';
import { shardBinding } from '../db/shards.ts';
import { lifetimes } from '../lifetimes.ts';
import { whyRefreshIsRefused } from './checks/why-refresh-is-refused.ts';
import { keyUnder } from './key-under.ts';
import { limitedGrant } from './limited-grant.ts';
import { allScopes, scopeBits } from './scope-text.ts';
import { makeSuccessor, sealedContext } from './successor.ts';
import { readToken } from './token.ts';
import { TokenRefusal } from './token-refusal.ts';
import type { TokenRequest } from './token-request.ts';
import { tokensOf, type Tokens } from './tokens.ts';
import { keepGrant, recordOfGrant } from './vault.ts';
import { watchForLoss } from './watch-for-loss.ts';

/** Grants that were found revoked, which they stay: floods of a dead token do not reach the database. */
const dead = new Believed<true>(lifetimes.believed, 10_000);

/** A bit that no grant has: an unknown scope is refused like one too many, after all that comes first. */
const unknownScope = 1 << 30;

/**
 * Answers a refresh token with its successor (R1 to R5). A token that was spent a moment ago gets the same
 * successor again, since its answer may have been lost; any other second use ends the grant. One batch in the
 * database of the grant, two more where a restore set the grant back; none for a token that we did not make.
 */
export async function refreshTokens(request: TokenRequest): Promise<Tokens> {
  const { env, settings, form, app, now, defer } = request;
  const token = form.get('refresh_token');
  if (token === undefined) throw new TokenRefusal('refresh_token is missing');
  const facts = await readToken(settings.tokenKeys, 'refresh', token);
  if (!facts) throw new TokenRefusal('refresh_token is malformed');
  const ownKey = `${app.client_id} ${facts.grantId}`;
  if (dead.get(ownKey, now)) throw new TokenRefusal('refresh_token is dead');
  await limitedGrant(request, facts.grantId);

  const asked = form.get('scope');
  const scopes = asked === undefined ? 0 : (scopeBits(asked, allScopes) ?? unknownScope);
  const successor = await makeSuccessor(request, facts, token);
  const record = recordOfGrant(env, facts.grantId);
  const shard = openShard(shardBinding(env, facts.shard));
  const step = {
    grantId: facts.grantId,
    clientId: app.client_id,
    generation: facts.generation,
    presented: successor.presentedHash,
    successor: successor.successorHash,
    sealed: successor.sealed,
    scopes,
    proof: undefined,
    expiresAt: facts.expiresAt,
    now,
  };
  let stepped = await advance(shard, step);
  if (isSetBack(stepped.grant, step)) {
    await forward(shard, step);
    stepped = await advance(shard, step);
  }
  const { grant } = stepped;
  defer(watchForLoss(record, grant, facts));
  const next = stepped.isWon ? successor.token : await againOf(stepped, token, now);
  if (next === undefined || !grant) {
    const by = { clientId: app.client_id, generation: facts.generation, now };
    const reason = whyRefreshIsRefused(grant, by);
    if (reason === 'refresh_token is dead' && grant?.revoked_at) dead.set(ownKey, true, now);
    throw new TokenRefusal(reason);
  }
  defer(record.then(async (known) => known ?? (await keepGrant(env, grant))));
  return tokensOf(request, grant, next, facts.shard, scopes || grant.scopes);
}

/** The successor that an allowed retry gets again; only who presents the same token can open it. */
async function againOf(
  { grant, isRecovered }: Stepped,
  token: string,
  now: number,
): Promise<string | undefined> {
  if (!grant || grant.sealed === null || grant.revoked_at !== null) return undefined;
  const isHot = grant.isHotRetry === 1 && grant.isWithinScopes === 1 && now < grant.expires_at;
  if (!isHot && !isRecovered) return undefined;
  return unseal(await keyUnder(token), grant.sealed, sealedContext(grant.id));
}
