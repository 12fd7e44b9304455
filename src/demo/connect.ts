import { bitsOf } from '../access/scopes.ts';
import { randomBase64url } from '../crypto/random.ts';
import { sha256 } from '../crypto/sha256.ts';
import { answered } from '../db/answered.ts';
import type { Shard } from '../db/open.ts';
import { oauthGrants } from '../db/schema/grants.ts';
import { lifetimes } from '../lifetimes.ts';
import type { Store } from '../db/store.ts';
import { day } from './handle.ts';

/** 16 bytes as base64url; constant, so that the store is connected once. */
const grantId = 'ZGVtby1jb25uZWN0aW9uLg';

/**
 * Connects an app with a store as if its code had been redeemed three days ago and its tokens been refreshed a while
 * ago, unless that was done before. Nobody has its tokens: an app that is to work asks for consent.
 */
export async function connect(
  { id, alias }: Store,
  ownerId: number,
  shard: Shard,
  now: number,
): Promise<void> {
  const redeemedAt = now - 3 * day;
  const rotatedAt = now - day / 12;
  const unknown = () => sha256(randomBase64url(32));
  await answered(
    shard
      .insert(oauthGrants)
      .values({
        id: grantId,
        store_id: id,
        merchant: alias,
        client_id: 'demo-app',
        user_id: ownerId,
        scopes: bitsOf(new Set(['catalog.read', 'inventory.write', 'webhooks.write'])),
        challenge: await unknown(),
        redirect_hash: await unknown(),
        code_expires_at: redeemedAt + lifetimes.code,
        generation: 2,
        current_hash: await unknown(),
        rotated_at: rotatedAt,
        created_at: redeemedAt,
        expires_at: now + lifetimes.refreshToken,
      })
      .onConflictDoNothing(),
  );
}
