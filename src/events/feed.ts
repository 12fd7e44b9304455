import { sql, type SQL } from 'drizzle-orm';
import { rawStatement } from '../db/raw.ts';
import { webhookEvents } from '../db/schema/webhooks.ts';
import type { StoreDb } from '../db/store.ts';
import { Problem } from '../problem.ts';
import type { EventName } from './catalogue.ts';

/** How long the feed holds an event, in milliseconds: 30 days. */
export const feedMs = 30 * 86_400_000;

/** How many events are looked at to find those that were asked for. */
export const feedScan = 1_000;

/** A part of the feed. */
export interface FeedRequest {
  /** The last event that the reader knows; without one the feed is read from its beginning. */
  afterId: string | undefined;
  names: readonly EventName[];
  limit: number;
}

interface Recorded {
  id: string;
  /** What the receivers of the event were sent, as JSON text. */
  body: string;
}

/**
 * The events of a store that follow one, in the order in which they were recorded, and the id after which the
 * feed goes on, if it does: that of an event of another name when as many as are looked at held too few of
 * these. Throws a 400 for an event that the feed does not hold. One round trip.
 */
export async function readFeed(db: StoreDb, { afterId, names, limit }: FeedRequest) {
  const { id: storeId } = db.store;
  const since = db.now - feedMs;
  const start =
    afterId === undefined
      ? beginning(storeId, since)
      : sql`(select position from ${webhookEvents}
          where id = ${afterId} and store_id = ${storeId} and created_at >= ${since})`;
  const looked = sql`looked as materialized (select id, position, event from ${webhookEvents}
    where store_id = ${storeId} and position > ${start} order by position limit ${feedScan + 1})`;
  const [[scan], found] = await db.batch([
    rawStatement<{ start: number | null; seen: number; last: string | null }>(
      db,
      sql`with ${looked} select ${start} as start, count(*) as seen,
        (select id from looked order by position limit 1 offset ${feedScan - 1}) as last from looked`,
    ),
    rawStatement<Recorded>(
      db,
      sql`with ${looked} select id, (select body from ${webhookEvents} where id = looked.id) as body
        from looked where event in (select value from json_each(${JSON.stringify(names)}))
        order by position limit ${limit + 1}`,
    ),
  ]);
  if (scan?.start == null) {
    throw new Problem(400, { errors: { after_id: ['Must be an event of the last 30 days.'] } });
  }
  const rows = found.slice(0, limit);
  if (found.length > limit) return { rows, goesOnAfter: rows.at(-1)?.id };
  return { rows, goesOnAfter: scan.seen > feedScan ? (scan.last ?? undefined) : undefined };
}

/** The last position that is older than the feed, by halving: what is gone already was older still. */
function beginning(storeId: number, since: number): SQL {
  const middle = sql`((low + high + 1) / 2)`;
  const isOld = sql`coalesce((select created_at from ${webhookEvents}
    where store_id = ${storeId} and position <= ${middle} order by position desc limit 1) < ${since}, true)`;
  return sql`(with recursive half (low, high) as (
      select 0, coalesce((select max(position) from ${webhookEvents} where store_id = ${storeId}), 0)
      union all
      select iif(${isOld}, ${middle}, low), iif(${isOld}, high, ${middle} - 1) from half where low < high)
    select max(low) from half)`;
}
