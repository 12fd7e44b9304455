import { sql, type SQL } from 'drizzle-orm';
import { rawStatement } from '../db/raw.ts';
import { webhookEvents } from '../db/schema/webhooks.ts';
import type { StoreDb } from '../db/store.ts';
import { Problem } from '../problem.ts';
import { eventNames, type EventName } from './catalogue.ts';

/** How long the feed holds an event, in milliseconds: 30 days. */
export const feedMs = 30 * 86_400_000;

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
 * The events of a store that follow one, in the order in which they were recorded, and whether there are
 * more. Throws a 400 for an event that the feed does not hold. One round trip, which reads as much as the
 * page is long, whatever the feed holds.
 */
export async function readFeed(db: StoreDb, { afterId, names, limit }: FeedRequest) {
  const { id: storeId } = db.store;
  const since = db.now - feedMs;
  const after =
    afterId === undefined
      ? beginning(storeId, since)
      : sql`(select position from ${webhookEvents}
          where id = ${afterId} and store_id = ${storeId} and created_at >= ${since})`;
  const [known, found] = await db.batch([
    rawStatement<{ position: number | null }>(db, sql`select ${after} as position`),
    rawStatement<Recorded>(
      db,
      sql`with start (position) as materialized (select ${after})
        select id, body from ${webhookEvents}
        where store_id = ${storeId} and position > (select position from start)
        and ${isOneOf(names, storeId, limit + 1)} order by position limit ${limit + 1}`,
    ),
  ]);
  if (known[0]?.position == null) {
    throw new Problem(400, { errors: { after_id: ['Must be an event of the last 30 days.'] } });
  }
  return { rows: found.slice(0, limit), hasMore: found.length > limit };
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

/**
 * Only some events: the next ones of each name, as many as a page may need, so that the others are not read.
 * A union would say it plainly, but D1 takes no more than five parts.
 */
function isOneOf(names: readonly EventName[], storeId: number, count: number): SQL {
  if (names.length === eventNames.length) return sql`true`;
  const ofName = sql`one.store_id = ${storeId} and one.event = name.value
    and one.position > (select position from start)`;
  const last = sql`(select one.position from ${webhookEvents} one
    where ${ofName} order by one.position limit 1 offset ${count - 1})`;
  return sql`position in (select one.position from json_each(${JSON.stringify(names)}) name
    cross join ${webhookEvents} one
    where ${ofName} and one.position <= coalesce(${last}, 9007199254740991))`;
}
