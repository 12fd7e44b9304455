import { sql } from 'drizzle-orm';
import { authLifetimes, lateRetriesPerDay } from '../../auth-lifetimes.ts';
import { withDbErrors } from '../core/errors.ts';
import type { Database } from '../core/open.ts';
import { rawDatabaseStatement } from '../core/raw.ts';
import { oauthEvents, oauthGrants } from '../schema/store/grants.ts';
import { pauseDisconnectedStatement } from './connected.ts';

/** The most rows that one statement deletes; the next day continues. */
const deleteBatchSize = 1_000;

/** A range of grant ids: `from` is included, `to` is not; `undefined` means to the end. */
export interface GrantIdRange {
  from: string;
  to: string | undefined;
}

/**
 * Maintains the grants in a range of ids, in one batch that reads the range by primary key:
 *
 * - Pauses the webhooks of apps whose grants have expired, because no revocation pauses them.
 * - Deletes codes that were never redeemed, and grants long after their end.
 * - Deletes successors that no retry may request any more, and resets the late retries of the day.
 * - Deletes old grant events.
 */
export async function cleanUpGrants(
  shard: Database,
  { from, to }: GrantIdRange,
  now: number,
): Promise<void> {
  const isInRange = to === undefined ? sql`id >= ${from}` : sql`id >= ${from} and id < ${to}`;
  const isDeletable = sql`(generation = 0 and code_expires_at < ${now - authLifetimes.unusedCodeRetention})
    or expires_at < ${now - authLifetimes.endedGrantRetention} or revoked_at < ${now - authLifetimes.endedGrantRetention}`;
  await withDbErrors(
    shard.batch([
      pauseDisconnectedStatement(
        shard,
        sql`${isInRange} and generation > 0 and (revoked_at is not null or expires_at <= ${now})`,
        now,
      ),
      rawDatabaseStatement(
        shard,
        sql`delete from ${oauthGrants} where id in (
          select id from ${oauthGrants} where ${isInRange} and (${isDeletable}) limit ${deleteBatchSize})`,
      ),
      rawDatabaseStatement(
        shard,
        sql`update ${oauthGrants} set encrypted_successor = null, previous_hash = null
          where ${isInRange} and encrypted_successor is not null and rotated_at < ${now - authLifetimes.lateRetryWindow}`,
      ),
      rawDatabaseStatement(
        shard,
        sql`update ${oauthGrants} set late_retries_left = ${lateRetriesPerDay}
          where ${isInRange} and late_retries_left < ${lateRetriesPerDay}`,
      ),
      rawDatabaseStatement(
        shard,
        sql`delete from ${oauthEvents} where id in (
          select id from ${oauthEvents} where at < ${now - authLifetimes.grantEventRetention} limit ${deleteBatchSize})`,
      ),
    ]),
  );
}
