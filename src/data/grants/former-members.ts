import { sql } from 'drizzle-orm';
import type { Database } from '../core/open-database.ts';
import { rawDatabaseStatement } from '../core/raw.ts';
import { retryTransient } from '../core/retry-contention.ts';
import { oauthGrants } from '../schema/store/grants-tables.ts';
import { isInRange, type GrantIdRange } from './clean-up.ts';
import { revokeStatements } from './revoke.ts';

/** The grants that a user gave for a store since a time, in epoch milliseconds. */
export interface GivenSince extends Grantor {
  since: number;
}

/** A user, and a store that the user has connected apps to. */
export interface Grantor {
  userId: number;
  storeId: number;
}

/** Lists who gave the live grants in a range of ids. One round trip. */
export async function listGrantors(
  shard: Database,
  range: GrantIdRange,
  now: number,
): Promise<Grantor[]> {
  const [grantors] = await shard.batch([
    rawDatabaseStatement<Grantor>(
      shard,
      sql`select distinct user_id as "userId", store_id as "storeId" from ${oauthGrants}
          where ${isInRange(range)} and revoked_at is null and expires_at > ${now}`,
    ),
  ]);
  return grantors;
}

/**
 * Revokes the grants of users who no longer manage the store, and pauses the webhooks that lose their consent. A user
 * cannot consent for a store of others. One batch, which is safe to repeat.
 */
export async function revokeGrantsOfFormerMembers(
  shard: Database,
  former: readonly Grantor[],
  now: number,
): Promise<void> {
  const pairs = JSON.stringify(former.map(({ userId, storeId }) => [storeId, userId]));
  const isTheirs = sql`store_id in (select value ->> 0 from json_each(${pairs}))
    and (store_id, user_id) in (select value ->> 0, value ->> 1 from json_each(${pairs}))`;
  await retryTransient(() => shard.batch(revokeStatements(shard, isTheirs, 'member_removed', now)));
}

/** Revokes what users allowed for stores since a time, though they still manage them. One batch, which is safe to repeat. */
export async function revokeGrantsGivenSince(
  shard: Database,
  given: readonly GivenSince[],
  now: number,
): Promise<void> {
  const rows = JSON.stringify(given.map(({ userId, storeId, since }) => [storeId, userId, since]));
  const isTheirs = sql`store_id in (select value ->> 0 from json_each(${rows}))
    and exists (select 1 from json_each(${rows})
      where value ->> 0 = store_id and value ->> 1 = user_id and created_at >= value ->> 2)`;
  await retryTransient(() => shard.batch(revokeStatements(shard, isTheirs, 'consent_ended', now)));
}
