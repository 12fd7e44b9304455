import { authLifetimes } from '../../base/auth-lifetimes.ts';
import { sha256 } from '../../base/crypto/digest.ts';
import { randomBase64url } from '../../base/crypto/random.ts';
import { dayMs } from '../../base/durations.ts';
import type { Database } from '../../data/core/open-database.ts';
import type { Store } from '../../data/core/store.ts';
import { scopesToBits } from '../../data/grants/scopes.ts';
import { oauthGrants } from '../../data/schema/store/grants-tables.ts';

/** 16 bytes as base64url. Constant, so that the grant is inserted only once. */
const grantId = 'ZGVtby1jb25uZWN0aW9uLg';

/**
 * Connects `demo-app` with a store, unless it is connected. The code of the grant was redeemed
 * three days ago and its token refreshed two hours ago. The tokens are random and unknown, so an
 * app that calls the API needs consent.
 */
export async function seedConnection(
  { id, alias }: Store,
  ownerId: number,
  database: Database,
  now: number,
): Promise<void> {
  const redeemedAt = now - 3 * dayMs;
  const rotatedAt = now - dayMs / 12;
  const randomHash = () => sha256(randomBase64url(32));
  await database
    .insert(oauthGrants)
    .values({
      id: grantId,
      store_id: id,
      store_alias: alias,
      client_id: 'demo-app',
      user_id: ownerId,
      scopes: scopesToBits(new Set(['catalog.read', 'inventory.write', 'webhooks.write'])),
      challenge: await randomHash(),
      redirect_hash: await randomHash(),
      code_expires_at: redeemedAt + authLifetimes.authorizationCode,
      generation: 2,
      current_hash: await randomHash(),
      rotated_at: rotatedAt,
      created_at: redeemedAt,
      expires_at: now + authLifetimes.refreshToken,
    })
    .onConflictDoNothing();
}
