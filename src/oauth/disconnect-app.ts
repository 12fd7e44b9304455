import { sql } from 'drizzle-orm';
import { answered } from '../db/answered.ts';
import { revoking } from '../db/grants/revoking.ts';
import { openShard } from '../db/open.ts';
import { shardBinding } from '../db/shards.ts';
import { steadily } from '../db/steadily.ts';
import type { Store } from '../db/store.ts';

/**
 * Takes an app out of a store, as its merchant asks: all its grants there end at once, access tokens
 * included, and its webhooks of that store are paused. One batch.
 */
export async function disconnectApp(
  env: Env,
  store: Pick<Store, 'id' | 'shard'>,
  clientId: string,
  now: number,
): Promise<void> {
  const shard = openShard(shardBinding(env, store.shard));
  const ofApp = sql`store_id = ${store.id} and client_id = ${clientId}`;
  await steadily(() =>
    answered(shard.batch(revoking(shard, ofApp, 'disconnected by the merchant', now))),
  );
}
