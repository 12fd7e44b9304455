import { sql } from 'drizzle-orm';
import { lateRetriesPerDay, lifetimes } from '../../lifetimes.ts';
import { answered } from '../answered.ts';
import type { Shard } from '../open.ts';
import { plainStatement } from '../raw.ts';
import { oauthEvents, oauthGrants } from '../schema/grants.ts';
import { pausing } from './parted.ts';

/** Rows that one statement takes away; the rest waits for the next day. */
const chunk = 1_000;

/** A part of the ids: from the first one up to and without the second, or to the end. */
export interface Slice {
  from: string;
  to: string | undefined;
}

/**
 * Tidies the grants whose ids are in a slice: deletes codes that nobody redeemed and grants long after their
 * end, forgets successors that no retry can ask for any more, gives late retries back, and pauses the webhooks of
 * apps whose grants have run out, which nobody revokes. Old events go too. One batch, whose statements read the slice by the primary key.
 */
export async function tidy(shard: Shard, { from, to }: Slice, now: number): Promise<void> {
  const isInSlice = to === undefined ? sql`id >= ${from}` : sql`id >= ${from} and id < ${to}`;
  const isOver = sql`(generation = 0 and code_expires_at < ${now - lifetimes.unusedCode})
    or expires_at < ${now - lifetimes.deadGrant} or revoked_at < ${now - lifetimes.deadGrant}`;
  await answered(
    shard.batch([
      pausing(
        shard,
        sql`${isInSlice} and generation > 0 and (revoked_at is not null or expires_at <= ${now})`,
        now,
      ),
      plainStatement(
        shard,
        sql`delete from ${oauthGrants} where id in (
          select id from ${oauthGrants} where ${isInSlice} and (${isOver}) limit ${chunk})`,
      ),
      plainStatement(
        shard,
        sql`update ${oauthGrants} set sealed = null, previous_hash = null
          where ${isInSlice} and sealed is not null and rotated_at < ${now - lifetimes.lateRetry}`,
      ),
      plainStatement(
        shard,
        sql`update ${oauthGrants} set budget = ${lateRetriesPerDay}
          where ${isInSlice} and budget < ${lateRetriesPerDay}`,
      ),
      plainStatement(
        shard,
        sql`delete from ${oauthEvents} where id in (
          select id from ${oauthEvents} where at < ${now - lifetimes.event} limit ${chunk})`,
      ),
    ]),
  );
}
