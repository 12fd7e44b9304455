import { sql, type SQL } from 'drizzle-orm';
import { eventOrder } from '../../data/core/event-id.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { EventName } from '../../data/grants/event-catalogue.ts';
import { endpointWithIdMayReceive, grantedScopes } from '../../data/grants/grant-conditions.ts';
import type { ReplayFilter } from '../../data/schema/store/webhook-operations-tables.ts';
import {
  webhookDeliveries,
  webhookEndpoints,
  webhookEvents,
  webhookSubscriptions,
} from '../../data/schema/store/webhooks-tables.ts';
import { hasBody } from '../archive/archive-columns.ts';
import { isFirstAttemptPending } from '../log/delivery-record.ts';
import { endSeqAt, firstSeqAt } from '../log/seq-range.ts';

type Range = Extract<ReplayFilter, { from: number }>;

/** A delivery in the range of a replay. */
export interface ReplayCandidate {
  seq: number;
  event_id: string;
  /** 0 after the body has been purged. */
  has_body: number;
  /** 0 if the endpoint may not receive the event now. */
  may_receive: number;
}

/** The delivery or event to send again. */
export interface ReplaySource extends Omit<ReplayCandidate, 'seq'> {
  seq: number | null;
  event: EventName;
  /** 1 if its first attempt is still to come. */
  is_pending: number;
  /** The scopes of the connected grants of the app of the endpoint, as JSON. */
  grants: string;
}

/**
 * Columns: whether an endpoint may receive an event, and the scopes of the connected grants of its
 * app as JSON.
 */
export const subscriptionColumns = (endpoint: number | SQL, event: SQL, now: number) =>
  sql`${endpointWithIdMayReceive(endpoint, event, now)} as may_receive,
    (select ${grantedScopes(now)} from ${webhookEndpoints} where id = ${endpoint}) as grants`;

const eventHasBody = hasBody('webhook_events');

/**
 * A query for the delivery or event to send again, one row at most. An event must belong to the
 * store, and the endpoint must still subscribe to it: an app may not read other events.
 */
export function sourceQuery(
  db: StoreDb,
  id: number,
  filter: { seq: number } | { event_id: string },
): SQL {
  const subscribed = subscriptionColumns(id, sql`webhook_events.event`, db.now);
  return 'seq' in filter
    ? sql`select delivery.seq, delivery.event_id, webhook_events.event, ${eventHasBody} as has_body,
          ${isFirstAttemptPending(id)} as is_pending, ${subscribed}
        from ${webhookDeliveries} delivery
        left join ${webhookEvents} on webhook_events.id = delivery.event_id and webhook_events.store_id = ${db.store.id}
        where delivery.endpoint_id = ${id} and delivery.seq = ${filter.seq}`
    : sql`select null as seq, webhook_events.id as event_id, webhook_events.event, ${eventHasBody} as has_body,
          exists (select 1 from (${deliveriesOfEvent(sql`${id}`, filter.event_id)}) delivery
            where ${isFirstAttemptPending(id)}) as is_pending, ${subscribed}
        from ${webhookEvents}
        join ${webhookSubscriptions}
          on webhook_subscriptions.store_id = webhook_events.store_id and webhook_subscriptions.event = webhook_events.event and webhook_subscriptions.endpoint_id = ${id}
        where webhook_events.id = ${filter.event_id} and webhook_events.store_id = ${db.store.id}`;
}

/**
 * A query for the original deliveries of an event to an endpoint. The time in its id bounds the
 * search, so it reads some twenty rows of the log and the deliveries of two minutes.
 */
const deliveriesOfEvent = (endpoint: SQL, event: string) =>
  sql`select seq, state, attempts from ${webhookDeliveries} where endpoint_id = ${endpoint}
    and seq >= ${firstSeqAt(endpoint, eventOrder(event))} and seq < ${endSeqAt(endpoint, eventOrder(event))}
    and event_id = ${event} and trigger <> 'replay'`;

/**
 * A query for the deliveries of a range after sequence number `after` up to `last`, oldest first.
 * It skips replays, so it has each event once, and deliveries that will be sent anyway.
 */
export function candidatesQuery(id: number, range: Range, within: Within & { now: number }): SQL {
  const subscribed = endpointWithIdMayReceive(id, sql`webhook_events.event`, within.now);
  const columns = sql`delivery.seq, delivery.event_id, ${eventHasBody} as has_body, ${subscribed} as may_receive`;
  return selectCandidates(columns, id, range, within);
}

interface Within {
  after: SQL | number;
  last: SQL | number;
  limit: number;
}

const selectCandidates = (
  columns: SQL,
  id: number,
  { from, to, states, events }: Range,
  { after, last, limit }: Within,
): SQL => sql`select ${columns} from ${webhookDeliveries} delivery
  left join ${webhookEvents} on webhook_events.id = delivery.event_id
  where delivery.endpoint_id = ${id} and delivery.seq > ${after} and delivery.seq <= ${last} and delivery.trigger <> 'replay' and not ${isFirstAttemptPending(id)}
    and delivery.created_at >= ${from} and delivery.created_at < ${to}
    and delivery.state in (select value from json_each(${JSON.stringify(states)}))
    ${events === null ? sql`` : sql`and webhook_events.event in (select value from json_each(${JSON.stringify(events)}))`}
  order by delivery.seq limit ${limit}`;

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
    select first, last, (select count(*) from (${selectCandidates(sql`delivery.seq`, id, filter, within)})) as total from place`;
}
