import { sha256 } from '../crypto/sha256.ts';
import { findApp, forgetApp } from '../db/apps.ts';
import { addGrant } from '../db/grants/add-grant.ts';
import { openShard } from '../db/open.ts';
import { shardBinding } from '../db/shards.ts';
import type { Store } from '../db/store.ts';
import { lifetimes } from '../lifetimes.ts';
import { settingsOf } from '../settings.ts';
import { clientMayAsk } from './checks/client-may-ask.ts';
import { mintToken } from './token.ts';
import { keepCode } from './vault.ts';

/** What a merchant approved. */
export interface Consent {
  /** 16 random bytes as base64url, chosen when the page was rendered: a consent counts once. */
  grantId: string;
  clientId: string;
  userId: number;
  store: Pick<Store, 'id' | 'alias' | 'shard'>;
  /** Bits. */
  scopes: number;
  challenge: string;
  redirectUri: string;
}

/**
 * Writes the grant of a consent and answers with its authorization code, which lives for 60 seconds: one batch
 * in the database of the store, then one look at the app. "already decided" when the consent was answered
 * before or the app was withdrawn meanwhile. `defer` takes what may go on after the answer (`waitUntil`).
 */
export async function issueCode(
  env: Env,
  { grantId, clientId, userId, store, scopes, challenge, redirectUri }: Consent,
  now: number,
  defer: (work: Promise<unknown>) => void,
): Promise<{ code: string } | 'already decided'> {
  const settings = settingsOf(env);
  // Whole seconds, as the code carries them.
  const expiresAt = Math.floor((now + lifetimes.code) / 1000) * 1000;
  const facts = { grantId, generation: 0, expiresAt, shard: store.shard };
  const code = await mintToken(settings.tokenKeys, 'code', facts);
  const [current_hash, redirect_hash] = await Promise.all([sha256(code), sha256(redirectUri)]);
  defer(keepCode(env, code, { clientId, merchant: store.alias, userId, scopes }));
  const isStored = await addGrant(openShard(shardBinding(env, store.shard)), {
    id: grantId,
    store_id: store.id,
    merchant: store.alias,
    client_id: clientId,
    user_id: userId,
    scopes,
    challenge,
    redirect_hash,
    code_expires_at: expiresAt,
    current_hash,
    created_at: now,
  });
  if (!isStored) return 'already decided';
  // Read after the grant is there: whoever withdraws the app later finds the grant, whoever did so before is seen.
  forgetApp(clientId);
  const app = await findApp(openShard(env.DIRECTORY), clientId, now);
  return clientMayAsk(app, userId) ? { code } : 'already decided';
}
