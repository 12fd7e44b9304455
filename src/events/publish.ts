import { sql, type SQL } from 'drizzle-orm';
import { exceedsBytes } from '../codecs/fields/byte-length.ts';
import { formatLocalTime } from '../codecs/time/local-time.ts';
import { rawStatement } from '../db/core/raw.ts';
import type { BatchResults, Statement } from '../db/core/statement.ts';
import type { StoreDb } from '../db/core/store-db.ts';
import { endpointMayHear } from '../db/grants/may-hear.ts';
import {
  DeliveryState,
  EndpointStatus,
  webhookDeliveries,
  webhookEndpoints,
  webhookEvents,
  webhookSubscriptions,
} from '../db/schema/store/webhooks.ts';
import { ValidationError } from '../errors.ts';
import { budgetStatements, reportRefusal } from './budget.ts';
import type { EventName } from './catalogue.ts';
import { eventIdentity, type EventIdentity } from './event-id.ts';

/**
 * An SQL condition over `webhook_endpoints`: the endpoint is backing off, or takes more than 2 s on average. Its wake-ups
 * go to the slow queues, so that it does not delay other endpoints.
 */
export const isSlowSql = '(consecutive_failures > 0 or latency_ms > 2000)';

export interface StoreEvent {
  name: EventName;
  /** The resource with all includes, as receivers see it; plain JSON data. */
  resource: object;
  /** If the store has already recorded the key, nothing is written or delivered. */
  idempotencyKey?: string;
  /**
   * Members of the resource by path (`sku.data.total_in_stock`), which the transaction itself reads after the change.
   * So counters that concurrent writers change need no retry.
   */
  stored?: Readonly<Record<string, SQL>>;
}

/**
 * Runs a change and records its events, with a delivery to every endpoint that hears them, in one transaction. This is the
 * only writer of events. After the commit it wakes the endpoints that are due; a lost wake-up costs latency, never an
 * event. Throws a `ValidationError` for an event that is too large for a row, and a 429 beyond the budget of the handle; then
 * nothing is changed.
 */
export async function publish<const S extends readonly Statement[]>(
  db: StoreDb,
  statements: S,
  events: readonly StoreEvent[],
): Promise<BatchResults<S>> {
  const identified = events.map((event) => ({ event, identity: eventIdentity(db) }));
  const randomEnds = identified.map(({ identity }) => identity.randomEnd);
  const results: readonly unknown[] = await db
    .batch([
      ...statements,
      ...identified.flatMap(({ event, identity }) => fanOutStatements(db, event, identity)),
      ...budgetStatements(db, randomEnds),
    ])
    .catch((error: unknown) => reportRefusal(db, error));
  const woken = new Map<number, boolean>();
  for (const rows of results.slice(statements.length)) {
    for (const { endpoint, next_attempt_at, is_slow } of rows as Partial<SubscribedEndpoint>[]) {
      if (endpoint !== undefined && needsWakeup(next_attempt_at, db.now))
        woken.set(endpoint, is_slow === 1);
    }
  }
  for (const areSlow of [false, true]) {
    const endpoints = [...woken.keys()].filter((endpoint) => woken.get(endpoint) === areSlow);
    if (endpoints.length > 0) db.wakeEndpoints(endpoints, areSlow);
  }
  // Results are in the order of the statements.
  return results.slice(0, statements.length) as readonly unknown[] as BatchResults<S>;
}

/** An endpoint that got a delivery. `next_attempt_at` is 0 while it is leased. */
interface SubscribedEndpoint {
  endpoint: number;
  next_attempt_at: number;
  is_slow: 0 | 1;
}

/** An endpoint that has been due for this long, without a lease, lost its wake-up. */
const overdueMs = 30_000;

/** Due since this event, or overdue: then the sweep may have stopped, and this event wakes the endpoint instead. */
const needsWakeup = (nextAttemptAt: number | undefined, now: number) =>
  nextAttemptAt !== undefined &&
  (nextAttemptAt === now || (nextAttemptAt > 0 && nextAttemptAt < now - overdueMs));

/** Maximum size of a body in bytes. A D1 row holds 2,000,000 with all its columns. */
const maxBodyBytes = 1_990_000;

/**
 * Statements that insert the event, give each hearer the next sequence number, and insert its delivery. A hearer is a
 * subscribed endpoint that may hear the event at this moment; without one they write nothing. An endpoint in backoff keeps
 * its next attempt; a paused or disabled one gets held deliveries.
 */
function fanOutStatements(
  db: StoreDb,
  { name, resource, idempotencyKey, stored = {} }: StoreEvent,
  { newId, recordedId }: EventIdentity,
): Statement[] {
  const { store, now } = db;
  const body = JSON.stringify({
    event: name,
    time: formatLocalTime(now, store.zone),
    merchant: { id: store.id, alias: store.alias },
    resource,
  });
  if (exceedsBytes(body, maxBodyBytes)) {
    throw new ValidationError({
      resource: ['Must result in an event of at most 1,990,000 bytes.'],
    });
  }
  const members = Object.entries(stored).map(
    ([path, value]) => sql`, ${`$.resource.${path}`}, (${value})`,
  );
  const complete = members.length > 0 ? sql`json_set(${body}${sql.join(members)})` : sql`${body}`;
  const isHearer = sql`id in (
    select endpoint_id from ${webhookSubscriptions} where store_id = ${store.id} and event = ${name})
      and ${endpointMayHear(name, now)}`;
  return [
    rawStatement(
      db,
      sql`insert into ${webhookEvents} (id, store_id, event, body, idempotency_key, created_at)
        select ${newId}, ${store.id}, ${name}, ${complete}, ${idempotencyKey ?? null}, ${now}
        where exists (select 1 from ${webhookEndpoints} where ${isHearer})
        on conflict (store_id, idempotency_key) where idempotency_key is not null do nothing`,
    ),
    rawStatement(
      db,
      sql`update ${webhookEndpoints} set last_seq = last_seq + 1,
          next_attempt_at = case
            when status <> ${EndpointStatus.active} then next_attempt_at
            when next_attempt_at is null or (consecutive_failures = 0 and next_attempt_at > ${now} and lease_until <= ${now}) then ${now}
            else next_attempt_at end
        where ${isHearer} and ${recordedId} is not null
        returning id as endpoint,
          case when lease_until <= ${now} then coalesce(next_attempt_at, 0) else 0 end as next_attempt_at,
          ${sql.raw(isSlowSql)} as is_slow`,
    ),
    rawStatement(
      db,
      sql`insert into ${webhookDeliveries} (endpoint_id, seq, event_id, state, due_at, created_at)
        select id, last_seq, ${recordedId},
          case status when ${EndpointStatus.active} then ${DeliveryState.open} else ${DeliveryState.held} end,
          0, ${now}
        from ${webhookEndpoints} where ${isHearer} and ${recordedId} is not null`,
    ),
  ];
}
