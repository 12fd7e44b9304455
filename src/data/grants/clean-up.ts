import { sql } from 'drizzle-orm';
import { authLifetimes, lateRetriesPerDay } from '../../base/auth-lifetimes.ts';
import type { Database } from '../core/open-database.ts';
import { rawDatabaseStatement } from '../core/raw.ts';
import { oauthEvents, oauthGrants } from '../schema/store/grants-tables.ts';
import { pauseUncoveredStatement } from './grant-conditions.ts';

/** The most rows that one statement deletes; the next day continues. */
const deleteBatchSize = 1_000;

/** A range of grant ids: `from` is included, `to` is not; `undefined` means to the end. */
export interface GrantIdRange {
  from: string;
  to: string | undefined;
}

/** The condition that a grant is in a range. */
export const isInRange = ({ from, to }: GrantIdRange) =>
  to === undefined ? sql`id >= ${from}` : sql`id >= ${from} and id < ${to}`;

/**
 * Maintains the grants in a range of ids, in one batch that reads the range by primary key:
 *
 * - Pauses webhooks whose consent has expired, because no revocation pauses them.
 * - Deletes codes that were never redeemed, and grants long after their end.
 * - Deletes successors that no retry may request any more, and resets the late retries of the day.
 * - Deletes old grant events.
 */
export async function cleanUpGrants(
  shard: Database,
  range: GrantIdRange,
  now: number,
): Promise<void> {
  const isVisited = isInRange(range);
  const isDeletable = sql`(generation = 0 and code_expires_at < ${now - authLifetimes.unusedCodeRetention})
    or expires_at < ${now - authLifetimes.endedGrantRetention} or revoked_at < ${now - authLifetimes.endedGrantRetention}`;
  await shard.batch([
    pauseUncoveredStatement(
      shard,
      sql`${isVisited} and generation > 0 and (revoked_at is not null or expires_at <= ${now})`,
      now,
    ),
    rawDatabaseStatement(
      shard,
      sql`delete from ${oauthGrants} where id in (
          select id from ${oauthGrants} where ${isVisited} and (${isDeletable}) limit ${deleteBatchSize})`,
    ),
    rawDatabaseStatement(
      shard,
      sql`update ${oauthGrants} set encrypted_successor = null, previous_hash = null
          where ${isVisited} and encrypted_successor is not null and rotated_at < ${now - authLifetimes.lateRetryWindow}`,
    ),
    rawDatabaseStatement(
      shard,
      sql`update ${oauthGrants} set late_retries_left = ${lateRetriesPerDay}
          where ${isVisited} and late_retries_left < ${lateRetriesPerDay}`,
    ),
    rawDatabaseStatement(
      shard,
      sql`delete from ${oauthEvents} where id in (
          select id from ${oauthEvents} where at < ${now - authLifetimes.grantEventRetention} limit ${deleteBatchSize})`,
    ),
  ]);
}
