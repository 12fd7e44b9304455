import { sql, type SQL } from 'drizzle-orm';
import type { StoreDb } from '../../db/core/store-db.ts';
import type { ReplayFilter } from '../../db/schema/store/webhook-operations.ts';
import {
  webhookDeliveries,
  webhookEvents,
  webhookSubscriptions,
} from '../../db/schema/store/webhooks.ts';
import { endSeqAt, firstSeqAt } from '../log/seq-range.ts';

type Range = Extract<ReplayFilter, { from: number }>;

/** A delivery in the range of a replay. */
export interface ReplayCandidate {
  seq: number;
  event_id: string;
  /** 0 after the body has been purged. */
  has_body: number;
}

/**
 * A query for the delivery or event to send again, one row at most. An event must belong to the store, and the endpoint
 * must still subscribe to it: an app may not read other events.
 */
export function sourceQuery(
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
 * A query for the deliveries of a range after sequence number `after` up to `last`, oldest first. It skips replays, so it
 * has each event once.
 */
export const candidatesQuery = (
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

/** A query for their number, counted up to `limit`, and for the range of their sequence numbers. */
export function countQuery(id: number, filter: Range, limit: number): SQL {
  const place = sql`(select ${firstSeqAt(sql`${id}`, filter.from)} - 1 as first,
    ${endSeqAt(sql`${id}`, filter.to)} - 1 as last)`;
  const within = {
    after: sql`(select first from place)`,
    last: sql`(select last from place)`,
    limit,
  };
  return sql`with place as materialized ${place}
    select first, last, (select count(*) from (${candidatesQuery(id, filter, within)})) as total from place`;
}
