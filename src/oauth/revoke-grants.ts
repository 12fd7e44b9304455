import { sql, type SQL } from 'drizzle-orm';
import type { Doer } from '../data/audit/action.ts';
import { openDatabase, type Database, shardBinding } from '../data/core/open-database.ts';
import { retryTransient } from '../data/core/retry-contention.ts';
import type { Statement } from '../data/core/statement.ts';
import type { Store } from '../data/core/store.ts';
import { revokeStatements, type RevocationReason } from '../data/grants/add-and-revoke.ts';
import { oauthGrants } from '../data/schema/store/grants-tables.ts';
import { assertPlaced } from '../data/shards/guard.ts';

interface Revocation {
  clientId: string;
  condition: SQL;
  reason: RevocationReason;
  now: number;
  by?: Doer;
}

/**
 * Revokes the grants of one app in one database that match a condition, and pauses webhooks. One
 * batch, which begins with `guard`: a store that has moved is a `StoreElsewhere`.
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
 * Disconnects an app from a store: revokes all its grants there, which invalidates access tokens at
 * once, and pauses its webhooks that lose their consent. If `ofUser` gave some of them, only these.
 * One batch.
 */
export async function disconnectApp(
  env: Env,
  store: Pick<Store, 'id' | 'shard'>,
  clientId: string,
  now: number,
  { by, ofUser }: { by?: Doer; ofUser?: number | undefined } = {},
): Promise<void> {
  const database = openDatabase(shardBinding(env, store.shard));
  const inStore = sql`store_id = ${store.id}`;
  const isOwn = sql`user_id = ${ofUser ?? null}`;
  const hasOwn = sql`exists (select 1 from ${oauthGrants} as own where own.store_id = ${store.id}
    and own.client_id = ${clientId} and own.user_id = ${ofUser ?? null} and own.revoked_at is null and own.expires_at > ${now})`;
  await revokeGrants(database, assertPlaced(database, store.id), {
    clientId,
    condition: ofUser === undefined ? inStore : sql`${inStore} and (${isOwn} or not ${hasOwn})`,
    reason: 'disconnected_by_merchant',
    now,
    ...(by && { by }),
  });
}
