import { sql, type SQL } from 'drizzle-orm';
import { eventIdentity, type EventIdentity } from '../../data/core/event-id.ts';
import { rawStatement } from '../../data/core/raw.ts';
import { markPreparatory, type BatchResults, type Statement } from '../../data/core/statement.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { EventName } from '../../data/grants/event-catalogue.ts';
import {
  webhookDeliveries,
  webhookEndpoints,
  webhookEvents,
} from '../../data/schema/store/webhooks-tables.ts';
import { budgetStatements, reportRefusal } from './budget.ts';
import {
  eventBody,
  isReceiver,
  newDeliveryState,
  takeNumbersStatement,
  withStored,
  type SubscribedEndpoint,
} from './fan-out.ts';

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
 * Runs a change and records its events, with a delivery to every endpoint that receives them, in one transaction. This
 * is the only writer of events. After the commit it wakes the endpoints that are due; a lost wake-up costs latency,
 * never an event. Throws a `ValidationError` for an event that is too large for a row, and a 429 beyond the budget of
 * the handle; then nothing is changed.
 */
export async function publish<const S extends readonly Statement[]>(
  db: StoreDb,
  statements: S,
  events: readonly StoreEvent[],
): Promise<BatchResults<S>> {
  const identified = events.map((event) => ({ event, identity: eventIdentity(db) }));
  return runWithFanOut(db, statements, {
    statements: identified.flatMap(({ event, identity }) => fanOutStatements(db, event, identity)),
    randomEnds: identified.map(({ identity }) => identity.randomEnd),
  });
}

/** The statements that record events, and the random ends of their ids. */
export interface FanOut {
  statements: readonly Statement[];
  randomEnds: readonly string[];
}

/**
 * Runs a change and the fan-out of its events as one transaction, then wakes the endpoints that are due. `isPreparatory`: a
 * later batch of the request claims the idempotency key.
 */
export async function runWithFanOut<const S extends readonly Statement[]>(
  db: StoreDb,
  statements: S,
  fanOut: FanOut,
  { isPreparatory = false } = {},
): Promise<BatchResults<S>> {
  const all = [...statements, ...fanOut.statements, ...budgetStatements(db, fanOut.randomEnds)];
  if (isPreparatory) for (const statement of all) markPreparatory(statement);
  const results: readonly unknown[] = await db
    .batch(all)
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

/** An endpoint that has been due for this long, without a lease, lost its wake-up. */
const overdueMs = 30_000;

/** Due since this event, or overdue: then the sweep may have stopped, and this event wakes the endpoint instead. */
const needsWakeup = (nextAttemptAt: number | undefined, now: number) =>
  nextAttemptAt !== undefined &&
  (nextAttemptAt === now || (nextAttemptAt > 0 && nextAttemptAt < now - overdueMs));

/**
 * Statements that insert the event, give each receiving endpoint the next sequence number, and insert its delivery.
 * Without a receiving endpoint they write nothing.
 */
function fanOutStatements(
  db: StoreDb,
  { name, resource, idempotencyKey, stored = {} }: StoreEvent,
  { newId, recordedId }: EventIdentity,
): Statement[] {
  const { store, now } = db;
  const body = withStored(sql`${eventBody(db, name, resource)}`, stored);
  const receives = isReceiver(db, name);
  const areRecorded = sql`${recordedId} is not null`;
  return [
    rawStatement(
      db,
      sql`insert into ${webhookEvents} (id, store_id, event, body, idempotency_key, created_at)
        select ${newId}, ${store.id}, ${name}, ${body}, ${idempotencyKey ?? null}, ${now}
        where exists (select 1 from ${webhookEndpoints} where ${receives})
        on conflict (store_id, idempotency_key) where idempotency_key is not null do nothing`,
    ),
    takeNumbersStatement(db, name, { count: 1, areRecorded }),
    rawStatement(
      db,
      sql`insert into ${webhookDeliveries} (endpoint_id, seq, event_id, state, due_at, created_at)
        select id, last_seq, ${recordedId}, ${newDeliveryState}, 0, ${now}
        from ${webhookEndpoints} where ${receives} and ${areRecorded}`,
    ),
  ];
}
