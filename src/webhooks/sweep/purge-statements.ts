import { sql, type SQL } from 'drizzle-orm';
import { dayMs, minuteMs } from '../../base/durations.ts';
import type { Settings } from '../../base/settings.ts';
import { eventPrefixSql, orderDigits, orderedLength } from '../../data/core/event-id.ts';
import { compileSql, parameters } from '../../data/core/raw.ts';
import { DeliveryState, purgeSlots } from '../../data/schema/store/webhooks-tables.ts';

/** Maximum number of rows of one purge statement, so that it does not delay other writers. */
export const purgeChunkSize = 5_000;

/** A purge statement. It runs until it changes less than a chunk. */
type PurgeStatement = (db: D1Database) => D1PreparedStatement;

const [before, now, slot] = parameters('before', 'now', 'slot');

const snippetDays = 7;
const attemptDays = 30;
const deliveryDays = 30;
const replayDays = 30;
/** A check that has not been renewed for this long is of a host without a webhook. */
const hostDays = 30;
const auditDays = 365;

const deleteKeys = compileSql<{ before: number }>(sql`
  delete from idempotency_keys where (store_id, key) in (
    select store_id, key from idempotency_keys where created_at < ${before}
    order by created_at limit ${purgeChunkSize})`);

/**
 * Deletes idempotency keys and their responses after a day. `now` is epoch milliseconds, here and
 * below.
 */
export const idempotencyPurgeStatements = (now: number): PurgeStatement[] => [
  (db) => deleteKeys(db, { before: now - dayMs }),
];

/**
 * The stores that the purge visits in this minute. The sweep may visit a store twice, or skip it
 * for six hours.
 */
const slotAt = (now: number) => Math.floor(now / minuteMs) % purgeSlots;

const isInSlot = (storeId: SQL) => sql`${storeId} % ${purgeSlots} = ${slot}`;

/**
 * A CTE `store (prefix)` with the beginning of the event ids of each visited store. Only stores
 * with webhooks have events.
 */
const storesCte = sql`
  with store (prefix) as materialized (
    select distinct ${eventPrefixSql('store_id')} from webhook_endpoints where ${isInSlot(sql`store_id`)})`;

const isOld = (id: SQL) => sql`${id} >= prefix and ${id} < prefix || ${before}`;

// Without the name of the index, SQLite may rather read all deliveries.
const heldSource = sql`webhook_deliveries indexed by webhook_deliveries_held where state = ${DeliveryState.held}`;

const cancelHeld = compileSql<{ before: string; now: number; slot: number }>(sql`
  update webhook_deliveries set state = ${DeliveryState.cancelled}, done_at = ${now}
  where (endpoint_id, seq) in (${storesCte}
    select endpoint_id, seq from store cross join ${heldSource} and ${isOld(sql`event_id`)} limit ${purgeChunkSize})`);

/**
 * Old events with an open delivery. Read only if an event is old; then one row per open delivery of
 * the visited stores.
 */
const openEvents = sql`
  select event_id from webhook_endpoints endpoint cross join webhook_deliveries delivery indexed by webhook_deliveries_due
  where ${isInSlot(sql`endpoint.store_id`)} and delivery.endpoint_id = endpoint.id and delivery.state = ${DeliveryState.open}
    and substr(event_id, -${orderedLength}, ${orderDigits(0).length}) < ${before}`;

const deleteEvents = compileSql<{ before: string; slot: number }>(sql`
  delete from webhook_events where id in (${storesCte}
    select id from store cross join webhook_events
    where ${isOld(sql`id`)} and id not in (${openEvents})
      and not exists (select 1 from ${heldSource} and event_id = id)
    limit ${purgeChunkSize})`);

/**
 * Deletes events after `deliveredEventMs`, once no delivery of them is open or held. After
 * `eventMs`, cancels held deliveries, so that their events can go. An open delivery keeps its
 * event. Each minute visits some of the stores.
 */
export function eventPurgeStatements(
  now: number,
  { eventMs, deliveredEventMs }: Settings['retention'],
): PurgeStatement[] {
  const slot = slotAt(now);
  return [
    (db) => cancelHeld(db, { before: orderDigits(now - eventMs), now, slot }),
    (db) => deleteEvents(db, { before: orderDigits(now - deliveredEventMs), slot }),
  ];
}

const oldestAttempts = (condition: SQL) => sql`(endpoint_id, seq, number) in (
  select endpoint_id, seq, number from webhook_attempts
  where at < ${before} ${condition} order by at limit ${purgeChunkSize})`;

const deleteSnippets = compileSql<{ before: number }>(sql`
  update webhook_attempts set response_body = null where ${oldestAttempts(sql`and response_body is not null`)}`);

const deleteAttempts = compileSql<{ before: number }>(
  sql`delete from webhook_attempts where ${oldestAttempts(sql``)}`,
);

/** Deletes the response bodies of attempts after 7 days and the attempts after 30. */
export const attemptPurgeStatements = (now: number): PurgeStatement[] => [
  (db) => deleteSnippets(db, { before: now - snippetDays * dayMs }),
  (db) => deleteAttempts(db, { before: now - attemptDays * dayMs }),
];

// Sequence numbers of an endpoint follow time, so this walks from the first one to the first that
// is not old. An index by time would cost one more row written per delivery. Each minute visits the
// endpoints of some stores.
const deleteDeliveries = compileSql<{ before: number; slot: number }>(sql`
  delete from webhook_deliveries where (endpoint_id, seq) in (
    with recursive old (endpoint_id, seq, state, done_at) as (
      select delivery.endpoint_id, delivery.seq, delivery.state, delivery.done_at
      from webhook_endpoints endpoint join webhook_deliveries delivery on delivery.endpoint_id = endpoint.id
        and delivery.seq = (select min(seq) from webhook_deliveries where endpoint_id = endpoint.id)
      where ${isInSlot(sql`endpoint.store_id`)} and delivery.created_at < ${before}
      union all
      select delivery.endpoint_id, delivery.seq, delivery.state, delivery.done_at
      from old join webhook_deliveries delivery on delivery.endpoint_id = old.endpoint_id
        and delivery.seq = (select min(seq) from webhook_deliveries
          where endpoint_id = old.endpoint_id and seq > old.seq)
      where delivery.created_at < ${before})
    select endpoint_id, seq from old
    where state not in (${DeliveryState.open}, ${DeliveryState.held}) and done_at < ${before}
    limit ${purgeChunkSize})`);

/** Deletes deliveries 30 days after their end. The minute of `now` selects the stores to visit. */
export const deliveryPurgeStatements = (now: number): PurgeStatement[] => [
  (db) => deleteDeliveries(db, { before: now - deliveryDays * dayMs, slot: slotAt(now) }),
];

const deleteOldest = (...names: [table: string, key: string, column: string]) => {
  const [table, key, column] = names.map((name) => sql.raw(name));
  return compileSql<{ before: number }>(sql`delete from ${table} where ${key} in (
    select ${key} from ${table} where ${column} < ${before} order by ${column} limit ${purgeChunkSize})`);
};

const deleteAudit = deleteOldest('store_audit', 'id', 'at');
const deleteReplays = deleteOldest('webhook_replays', 'id', 'done_at');
const deleteHosts = deleteOldest('webhook_hosts', 'host', 'checked_at');

const deleteUnverified = compileSql<{ before: number }>(sql`
  delete from webhook_trials where (store_id, host) in (
    select store_id, host from webhook_trials where next_at < ${before}
    order by next_at limit ${purgeChunkSize})`);

/**
 * Deletes audit rows after a year, replays 30 days after their end, and host checks after 30 days.
 * Also deletes failing hosts that nothing was due for in a day.
 */
export const maintenancePurgeStatements = (now: number): PurgeStatement[] => [
  (db) => deleteAudit(db, { before: now - auditDays * dayMs }),
  (db) => deleteReplays(db, { before: now - replayDays * dayMs }),
  (db) => deleteHosts(db, { before: now - hostDays * dayMs }),
  (db) => deleteUnverified(db, { before: now - dayMs }),
];
