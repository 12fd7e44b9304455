import { sql } from 'drizzle-orm';
import { rawStatement } from '../db/raw.ts';
import { webhookEvents } from '../db/schema/webhooks.ts';
import type { StoreDb } from '../db/store.ts';
import { Problem } from '../problem.ts';
import { eventNames, type EventName } from './catalogue.ts';
import { afterEventIds, eventIdAt } from './event-id.ts';

/** How long the feed holds an event, in milliseconds: 30 days. */
export const feedMs = 30 * 86_400_000;

/** How many events are looked at to find those of some names. */
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
  const { store, now } = db;
  const beginning = eventIdAt(store.id, now - feedMs);
  const end = afterEventIds(store.id);
  const most = names.length === eventNames.length ? limit : feedScan;
  const looked = sql`looked as materialized (select id, event from ${webhookEvents}
    where id > ${afterId ?? beginning} and id < ${end} order by id limit ${most + 1})`;
  const isHeld =
    afterId === undefined
      ? sql`true`
      : sql`exists (select 1 from ${webhookEvents}
          where id = ${afterId} and id > ${beginning} and id < ${end})`;
  const [[scan], found] = await db.batch([
    rawStatement<{ is_held: 0 | 1; seen: number; last: string | null }>(
      db,
      sql`with ${looked} select ${isHeld} as is_held, count(*) as seen,
        (select id from looked order by id limit 1 offset ${most - 1}) as last from looked`,
    ),
    rawStatement<Recorded>(
      db,
      sql`with ${looked} select id, (select body from ${webhookEvents} where id = looked.id) as body
        from looked where event in (select value from json_each(${JSON.stringify(names)}))
        order by id limit ${limit + 1}`,
    ),
  ]);
  if (scan?.is_held !== 1) {
    throw new Problem(400, { errors: { after_id: ['Must be an event of the last 30 days.'] } });
  }
  const rows = found.slice(0, limit);
  if (found.length > limit) return { rows, goesOnAfter: rows.at(-1)?.id };
  return { rows, goesOnAfter: scan.seen > most ? (scan.last ?? undefined) : undefined };
}
