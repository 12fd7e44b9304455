import { dayMs, minuteMs } from '../../base/durations.ts';
import type { Settings } from '../../base/settings.ts';
import { eventPrefixSql, orderDigits, orderedLength } from '../../data/core/event-id.ts';
import { DeliveryState, purgeSlots } from '../../data/schema/store/webhooks-tables.ts';

/** Maximum number of rows of one purge statement, so that it does not delay other writers. */
export const purgeChunkSize = 5_000;

/** A purge statement. It runs until it changes less than a chunk. */
interface PurgeStatement {
  sql: string;
  values: readonly (string | number)[];
}

const snippetDays = 7;
const attemptDays = 30;
const deliveryDays = 30;
const replayDays = 30;
/** A check that has not been renewed for this long is of a host without a webhook. */
const hostDays = 30;
const auditDays = 365;

const deleteKeysSql = `
  delete from idempotency_keys where (store_id, key) in (
    select store_id, key from idempotency_keys where created_at < ?1
    order by created_at limit ${purgeChunkSize})`;

/** Deletes idempotency keys and their responses after a day. `now` is epoch milliseconds, here and below. */
export const idempotencyPurgeStatements = (now: number): PurgeStatement[] => [
  { sql: deleteKeysSql, values: [now - dayMs] },
];

/** The stores that the purge visits in this minute. The sweep may visit a store twice, or skip it for six hours. */
const slotAt = (now: number) => Math.floor(now / minuteMs) % purgeSlots;

const isInSlot = (storeId: string, slot: string) => `${storeId} % ${purgeSlots} = ${slot}`;

/**
 * A CTE `store (prefix)` with the beginning of the event ids of each visited store. Only stores with webhooks have
 * events.
 */
const storesCte = (slot: string) => `
  with store (prefix) as materialized (
    select distinct ${eventPrefixSql('store_id')} from webhook_endpoints where ${isInSlot('store_id', slot)})`;

const isOld = (id: string) => `${id} >= prefix and ${id} < prefix || ?1`;

// Without the name of the index, SQLite may rather read all deliveries.
const heldSource = `webhook_deliveries indexed by webhook_deliveries_held where state = ${DeliveryState.held}`;

const cancelSql = `
  update webhook_deliveries set state = ${DeliveryState.cancelled}, done_at = ?2
  where (endpoint_id, seq) in (${storesCte('?3')}
    select endpoint_id, seq from store cross join ${heldSource} and ${isOld('event_id')} limit ${purgeChunkSize})`;

/** Old events with an open delivery. Read only if an event is old; then one row per open delivery of the visited stores. */
const openSql = `
  select event_id from webhook_endpoints e cross join webhook_deliveries d indexed by webhook_deliveries_due
  where ${isInSlot('e.store_id', '?2')} and d.endpoint_id = e.id and d.state = ${DeliveryState.open}
    and substr(event_id, -${orderedLength}, ${orderDigits(0).length}) < ?1`;

const deleteEventsSql = `
  delete from webhook_events where id in (${storesCte('?2')}
    select id from store cross join webhook_events
    where ${isOld('id')} and id not in (${openSql})
      and not exists (select 1 from ${heldSource} and event_id = id)
    limit ${purgeChunkSize})`;

/**
 * Deletes events after `deliveredEventMs`, once no delivery of them is open or held. After `eventMs`, cancels held
 * deliveries, so that their events can go. An open delivery keeps its event. Each minute visits some of the stores.
 */
export function eventPurgeStatements(
  now: number,
  { eventMs, deliveredEventMs }: Settings['retention'],
): PurgeStatement[] {
  const slot = slotAt(now);
  return [
    { sql: cancelSql, values: [orderDigits(now - eventMs), now, slot] },
    { sql: deleteEventsSql, values: [orderDigits(now - deliveredEventMs), slot] },
  ];
}

const oldestAttempts = (condition: string) => `(endpoint_id, seq, number) in (
  select endpoint_id, seq, number from webhook_attempts
  where at < ?1 ${condition} order by at limit ${purgeChunkSize})`;

const snippetsSql = `
  update webhook_attempts set response_body = null where ${oldestAttempts('and response_body is not null')}`;

const deleteAttemptsSql = `delete from webhook_attempts where ${oldestAttempts('')}`;

/** Deletes the response bodies of attempts after 7 days and the attempts after 30. */
export const attemptPurgeStatements = (now: number): PurgeStatement[] => [
  { sql: snippetsSql, values: [now - snippetDays * dayMs] },
  { sql: deleteAttemptsSql, values: [now - attemptDays * dayMs] },
];

// Sequence numbers of an endpoint follow time, so this walks from the first one to the first that is not old. An index
// by time would cost one more row written per delivery. Each minute visits the endpoints of some stores.
const deleteDeliveriesSql = `
  delete from webhook_deliveries where (endpoint_id, seq) in (
    with recursive old (endpoint_id, seq, state, done_at) as (
      select d.endpoint_id, d.seq, d.state, d.done_at
      from webhook_endpoints e join webhook_deliveries d on d.endpoint_id = e.id
        and d.seq = (select min(seq) from webhook_deliveries where endpoint_id = e.id)
      where ${isInSlot('e.store_id', '?2')} and d.created_at < ?1
      union all
      select d.endpoint_id, d.seq, d.state, d.done_at
      from old join webhook_deliveries d on d.endpoint_id = old.endpoint_id
        and d.seq = (select min(seq) from webhook_deliveries
          where endpoint_id = old.endpoint_id and seq > old.seq)
      where d.created_at < ?1)
    select endpoint_id, seq from old
    where state not in (${DeliveryState.open}, ${DeliveryState.held}) and done_at < ?1
    limit ${purgeChunkSize})`;

/** Deletes deliveries 30 days after their end. The minute of `now` selects the stores to visit. */
export const deliveryPurgeStatements = (now: number): PurgeStatement[] => [
  { sql: deleteDeliveriesSql, values: [now - deliveryDays * dayMs, slotAt(now)] },
];

const deleteOldestSql = (table: string, key: string, column: string) =>
  `delete from ${table} where ${key} in (
    select ${key} from ${table} where ${column} < ?1 order by ${column} limit ${purgeChunkSize})`;

const deleteUnverifiedSql = `
  delete from webhook_trials where (store_id, host) in (
    select store_id, host from webhook_trials where next_at < ?1
    order by next_at limit ${purgeChunkSize})`;

/**
 * Deletes audit rows after a year, replays 30 days after their end, and host checks after 30 days. Also deletes failing
 * hosts that nothing was due for in a day.
 */
export const maintenancePurgeStatements = (now: number): PurgeStatement[] => [
  { sql: deleteOldestSql('store_audit', 'id', 'at'), values: [now - auditDays * dayMs] },
  { sql: deleteOldestSql('webhook_replays', 'id', 'done_at'), values: [now - replayDays * dayMs] },
  { sql: deleteOldestSql('webhook_hosts', 'host', 'checked_at'), values: [now - hostDays * dayMs] },
  { sql: deleteUnverifiedSql, values: [now - dayMs] },
];
