import { sql, type SQL } from 'drizzle-orm';
import type { ReplayFilter } from '../db/schema/webhook-upkeep.ts';
import { webhookDeliveries, webhookEvents, webhookSubscriptions } from '../db/schema/webhooks.ts';
import type { StoreDb } from '../db/store.ts';
import { seqAfter, seqBefore } from './log-position.ts';

type Range = Extract<ReplayFilter, { from: number }>;

/** A delivery that a range would send again. */
export interface Candidate {
  seq: number;
  event_id: string;
  /** 0 once the body is kept no longer. */
  has_body: number;
}

/**
 * The delivery or event to send again, as a statement of one row at most. An event is of this store, and
 * the endpoint must still subscribe to its kind: an app reads no others.
 */
export function sourceOf(
  db: StoreDb,
  id: number,
  filter: { seq: number } | { event_id: string },
): SQL {
  return 'seq' in filter
    ? sql`select d.seq, d.event_id, e.body is not null as has_body from ${webhookDeliveries} d
        left join ${webhookEvents} e on e.id = d.event_id and e.store_id = ${db.store.id}
        where d.endpoint_id = ${id} and d.seq = ${filter.seq}`
    : sql`select null as seq, e.id as event_id, 1 as has_body from ${webhookEvents} e
        join ${webhookSubscriptions} s
          on s.store_id = e.store_id and s.event = e.event and s.endpoint_id = ${id}
        where e.id = ${filter.event_id} and e.store_id = ${db.store.id}`;
}

/**
 * The deliveries of a range behind `after` and up to `last`, oldest first. Replays are left out, so each event
 * is in it once.
 */
export const candidates = (
  id: number,
  { from, to, states, events }: Range,
  { after, last, limit }: { after: SQL | number; last: SQL | number; limit: number },
): SQL => sql`select d.seq, d.event_id, e.body is not null as has_body from ${webhookDeliveries} d
  left join ${webhookEvents} e on e.id = d.event_id
  where d.endpoint_id = ${id} and d.seq > ${after} and d.seq <= ${last} and d.trigger <> 'replay'
    and d.created_at >= ${from} and d.created_at < ${to}
    and d.state in (select value from json_each(${JSON.stringify(states)}))
    ${events === null ? sql`` : sql`and e.event in (select value from json_each(${JSON.stringify(events)}))`}
  order by d.seq limit ${limit}`;

/** How many those are, counted up to `limit`, and between which numbers of the log they stand. */
export function countOf(id: number, filter: Range, limit: number): SQL {
  const place = sql`(select ${seqBefore(sql`${id}`, filter.from)} - 1 as first,
    ${seqAfter(sql`${id}`, filter.to)} - 1 as last)`;
  const within = {
    after: sql`(select first from place)`,
    last: sql`(select last from place)`,
    limit,
  };
  return sql`with place as materialized ${place}
    select first, last, (select count(*) from (${candidates(id, filter, within)})) as total from place`;
}
