import { eq, sql, type SQL } from 'drizzle-orm';
import { retryTransient } from '../../db/contention/retry.ts';
import { withDbErrors } from '../../db/core/errors.ts';
import { openDatabase } from '../../db/core/open.ts';
import { allShardBindings, shardBinding } from '../../db/core/shards.ts';
import type { Store } from '../../db/core/store.ts';
import { evictApp } from '../../db/directory/apps.ts';
import { revokeStatements, type RevocationReason } from '../../db/grants/revoke.ts';
import { apps } from '../../db/schema/directory.ts';

/** Revokes the grants of one app in one database that match a condition, and pauses webhooks. One batch. */
export async function revokeGrants(
  binding: D1Database,
  clientId: string,
  condition: SQL,
  reason: RevocationReason,
  now: number,
): Promise<void> {
  const database = openDatabase(binding);
  const matches = sql`client_id = ${clientId} and ${condition}`;
  await retryTransient(() =>
    withDbErrors(database.batch(revokeStatements(database, matches, reason, now))),
  );
}

/**
 * Disconnects an app from a store: revokes all its grants there, which invalidates access tokens at once, and pauses
 * its webhooks of that store. One batch.
 */
export async function disconnectApp(
  env: Env,
  store: Pick<Store, 'id' | 'shard'>,
  clientId: string,
  now: number,
): Promise<void> {
  const binding = shardBinding(env, store.shard);
  const ofStore = sql`store_id = ${store.id}`;
  await revokeGrants(binding, clientId, ofStore, 'disconnected_by_merchant', now);
}

/**
 * Disables an app or makes it a draft again. First prevents new grants; then revokes its grants and pauses its
 * webhooks shard by shard, also in the partner's own stores. Throws a 503 when a shard does not respond; it can be
 * repeated.
 */
export async function disableApp(
  env: Env,
  clientId: string,
  now: number,
  state: 'disabled' | 'draft' = 'disabled',
): Promise<void> {
  const directory = openDatabase(env.DIRECTORY);
  await retryTransient(() =>
    withDbErrors(
      directory.update(apps).set({ state, updated_at: now }).where(eq(apps.client_id, clientId)),
    ),
  );
  evictApp(clientId);
  for (const binding of allShardBindings(env).values()) {
    await revokeGrants(binding, clientId, sql`true`, 'app_withdrawn', now);
  }
}
