import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import { rawStatement } from '../db/raw.ts';
import {
  DeliveryState,
  EndpointStatus,
  webhookDeliveries,
  webhookEndpoints,
  webhookEvents,
  webhookSubscriptions,
} from '../db/schema/webhooks.ts';
import type { Results, Statement } from '../db/statement.ts';
import type { StoreDb } from '../db/store.ts';
import { InvalidBody } from '../problem.ts';
import { localTime } from '../wire/datetime.ts';
import type { EventName } from './catalogue.ts';
import { identityOf } from './event-identity.ts';
import { slowLane } from './slow-lane.ts';

/** Something that happened in a store. */
export interface StoreEvent {
  name: EventName;
  /** What receivers see of the resource, all includes with it, as plain JSON data. */
  resource: object;
  /** Of a key that the store has recorded already nothing is written again, nor delivered. */
  idempotencyKey?: string;
  /**
   * Members of the resource, by their path (`sku.data.total_in_stock`), that are read in the transaction itself after
   * the change: what many writers count at once needs no second try then.
   */
  stored?: Readonly<Record<string, SQL>>;
}

/**
 * Runs a change and records its events in one transaction: either both are there or neither, and the
 * deliveries to every subscribed endpoint with them. The only writer of events. Endpoints that have something
 * to send now are woken after the commit; a lost wake-up costs latency, never an event. Throws `InvalidBody` for an
 * event that no row could hold, and then nothing is changed.
 */
export async function publish<const S extends readonly Statement[]>(
  db: StoreDb,
  statements: S,
  events: readonly StoreEvent[],
): Promise<Results<S>> {
  const fanOut = events.flatMap((event) => fanOutOf(db, event));
  const results: readonly unknown[] = await db.batch([...statements, ...fanOut]);
  const woken = new Map<number, boolean>();
  for (const rows of results.slice(statements.length)) {
    for (const { endpoint, wake_at, is_slow } of rows as Partial<Woken>[]) {
      if (endpoint !== undefined && isCalled(wake_at, db.now)) woken.set(endpoint, is_slow === 1);
    }
  }
  for (const areSlow of [false, true]) {
    const endpoints = [...woken.keys()].filter((endpoint) => woken.get(endpoint) === areSlow);
    if (endpoints.length > 0) db.wake(endpoints, areSlow);
  }
  // `batch` answers in the order of its statements.
  return results.slice(0, statements.length) as readonly unknown[] as Results<S>;
}

/** A lane that got a delivery; `wake_at` is 0 when somebody is at work on it. */
interface Woken {
  endpoint: number;
  wake_at: number;
  is_slow: 0 | 1;
}

/** A lane that has been due for so long lost its hint, and nobody is at work on it. */
const overdueMs = 30_000;

/** Woken just now, or overdue: then the sweep may have stopped, and this event calls in its place. */
const isCalled = (wakeAt: number | undefined, now: number) =>
  wakeAt !== undefined && (wakeAt === now || (wakeAt > 0 && wakeAt < now - overdueMs));

/** Bytes of a body; a row of D1 holds 2,000,000 with all its columns (webhooks 3.17). */
const maxBodyBytes = 1_990_000;

const isTooLarge = (body: string) =>
  body.length * 3 > maxBodyBytes && new TextEncoder().encode(body).length > maxBodyBytes;

/**
 * The event, a new sequence number for each endpoint that subscribed to it, and a delivery of that number.
 * Without a subscriber nothing is written. A lane that is backing off is not woken; one whose endpoint is
 * paused or disabled gets held deliveries.
 */
function fanOutOf(
  db: StoreDb,
  { name, resource, idempotencyKey, stored = {} }: StoreEvent,
): Statement[] {
  const { store, now } = db;
  const { next, recorded } = identityOf(db);
  const body = JSON.stringify({
    event: name,
    time: localTime(now, store.zone),
    merchant: { id: store.id, alias: store.alias },
    resource,
  });
  if (isTooLarge(body)) {
    throw new InvalidBody({ resource: ['Must make an event of at most 1,990,000 bytes.'] });
  }
  const members = Object.entries(stored).map(
    ([path, value]) => sql`, ${`$.resource.${path}`}, (${value})`,
  );
  const complete = members.length > 0 ? sql`json_set(${body}${sql.join(members)})` : sql`${body}`;
  const subscribers = sql`(select endpoint_id from ${webhookSubscriptions} where store_id = ${store.id} and event = ${name})`;
  return [
    rawStatement(
      db,
      sql`insert into ${webhookEvents} (id, store_id, event, body, idempotency_key, created_at)
        select ${next}, ${store.id}, ${name}, ${complete}, ${idempotencyKey ?? null}, ${now}
        where exists ${subscribers}
        on conflict (store_id, idempotency_key) where idempotency_key is not null do nothing`,
    ),
    rawStatement(
      db,
      sql`update ${webhookEndpoints} set last_seq = last_seq + 1,
          wake_at = case
            when status <> ${EndpointStatus.active} then wake_at
            when wake_at is null or (fail_streak = 0 and wake_at > ${now} and lease_until <= ${now}) then ${now}
            else wake_at end
        where id in ${subscribers} and ${recorded} is not null
        returning id as endpoint,
          case when lease_until <= ${now} then coalesce(wake_at, 0) else 0 end as wake_at,
          ${sql.raw(slowLane)} as is_slow`,
    ),
    rawStatement(
      db,
      sql`insert into ${webhookDeliveries} (endpoint_id, seq, event_id, state, due_at, created_at)
        select id, last_seq, ${recorded},
          case status when ${EndpointStatus.active} then ${DeliveryState.open} else ${DeliveryState.held} end,
          0, ${now}
        from ${webhookEndpoints} where id in ${subscribers} and ${recorded} is not null`,
    ),
  ];
}
