import { sql, type SQL } from 'drizzle-orm';
import type { Doer } from '../data/audit/action.ts';
import { openDatabase, type Database, shardBinding } from '../data/core/open-database.ts';
import { retryTransient } from '../data/core/retry-contention.ts';
import type { Statement } from '../data/core/statement.ts';
import type { Store } from '../data/core/store.ts';
import { revokeStatements, type RevocationReason } from '../data/grants/revoke.ts';
import { assertPlaced } from '../data/shards/placements.ts';

interface Revocation {
  clientId: string;
  condition: SQL;
  reason: RevocationReason;
  now: number;
  by?: Doer;
}

/**
 * Revokes the grants of one app in one database that match a condition, and pauses webhooks. One batch, which begins with
 * `guard`: a store that has moved is a `StoreElsewhere`.
 */
export async function revokeGrants(
  database: Database,
  guard: Statement,
  { clientId, condition, reason, now, by }: Revocation,
): Promise<void> {
  const matches = sql`client_id = ${clientId} and ${condition}`;
  await retryTransient(() =>
    database.batch([guard, ...revokeStatements(database, matches, reason, now, by)]),
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
  by?: Doer,
): Promise<void> {
  const database = openDatabase(shardBinding(env, store.shard));
  await revokeGrants(database, assertPlaced(database, store.id), {
    clientId,
    condition: sql`store_id = ${store.id}`,
    reason: 'disconnected_by_merchant',
    now,
    ...(by && { by }),
  });
}
