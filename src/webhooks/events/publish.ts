import { sql, type SQL } from 'drizzle-orm';
import { isEventBudgetError, rateLimitHeaders } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import { memoize } from '../../base/memoize.ts';
import {
  countBytes,
  noteRefusal,
  selectUsage,
  usageColumns,
  turnPolicy,
  type EventPace,
} from '../../data/core/event-budget.ts';
import {
  type EventScope,
  createRandomDigits,
  eventIdentity,
  eventParameters,
  eventScope,
  newestIds,
  randomLength,
} from '../../data/core/event-id.ts';
import { compileStatement, parameter, rawStatement } from '../../data/core/raw.ts';
import { markPreparatory, type BatchResults, type Statement } from '../../data/core/statement.ts';
import type { ClaimedDelivery, StoreDb } from '../../data/core/store-db.ts';
import type { EventName } from '../../data/grants/event-catalogue.ts';
import { eventBudgets } from '../../data/schema/store/internal-tables.ts';
import {
  webhookDeliveries,
  webhookEndpoints,
  webhookEvents,
} from '../../data/schema/store/webhooks-tables.ts';
import { mayClaim } from '../delivery/first-send.ts';
import {
  eventBody,
  isReceived,
  isReceiver,
  newDeliveryState,
  newDueAt,
  takeNumbers,
  withStored,
  type SubscribedEndpoint,
} from './fan-out.ts';

export interface StoreEvent {
  name: EventName;
  /** The resource with all includes, as receivers see it; plain JSON data. */
  resource: object;
  /** Of an update: the names of the fields that it changed, as the resource spells them. */
  changed?: readonly string[];
  /** If the store has already recorded the key, nothing is written or delivered. */
  idempotencyKey?: string;
  /**
   * Members of the resource by path (`sku.data.total_in_stock`), which the transaction itself reads
   * after the change. So counters that concurrent writers change need no retry.
   */
  stored?: Readonly<Record<string, SQL>>;
}

/**
 * Runs a change and records its events, with a delivery to every endpoint that receives them, in
 * one transaction. This is the only writer of events. After the commit it wakes the endpoints that
 * are due; a lost wake-up costs latency, never an event. Throws a `ValidationError` for an event
 * that is too large for a row. Throws a 429 of seconds where the handle has to wait for a turn
 * beyond its budget. Then nothing is changed.
 */
export async function publish<const S extends readonly Statement[]>(
  db: StoreDb,
  statements: S,
  events: readonly StoreEvent[],
  options: PublishOptions = {},
): Promise<BatchResults<S>> {
  const claims = db.sendFirst !== undefined && mayClaim(db.now);
  const scope = eventScope(db);
  const recorded = events.map((event) => ({ event, random: createRandomDigits() }));
  const fanOut = {
    statements: recorded.flatMap(({ event, random }) =>
      fanOutStatements(db, event, { ...scope, random }, claims),
    ),
    randomEnds: recorded.map(({ random }) => random),
  };
  return runWithFanOut(db, statements, fanOut, options);
}

/** How a change with events is run. */
export interface PublishOptions {
  /** A later batch of the request claims the idempotency key. */
  isPreparatory?: boolean;
  /**
   * How its events go on beyond the budget of the store; as for the handle by default. They are
   * counted all the same.
   */
  eventPace?: EventPace;
}

/** The statements that record events, and the random ends of their ids. */
export interface FanOut {
  statements: readonly Statement[];
  randomEnds: readonly string[];
}

/**
 * Runs a change and the fan-out of its events as one transaction, then wakes the endpoints that are
 * due.
 */
export async function runWithFanOut<const S extends readonly Statement[]>(
  db: StoreDb,
  statements: S,
  fanOut: FanOut,
  { isPreparatory = false, eventPace = db.eventPace }: PublishOptions = {},
): Promise<BatchResults<S>> {
  const counted = budgetStatements(db, fanOut.randomEnds, eventPace);
  const all = [...statements, ...fanOut.statements, ...counted];
  if (isPreparatory) for (const statement of all) markPreparatory(statement);
  const results: readonly unknown[] = await db
    .batch(all)
    .catch((error: unknown) => reportRefusal(db, error, eventPace));
  const woken = new Map<number, boolean>();
  const claimed: ClaimedDelivery[] = [];
  let recorded: RecordedEvent | undefined;
  for (const row of (results.slice(statements.length) as FanOutRow[][]).flat()) {
    // The numbers of an event come behind it.
    if (row.event_id !== undefined) recorded = row as RecordedEvent;
    const { endpoint, next_attempt_at, is_slow, is_claimed, last_seq } = row;
    if (endpoint === undefined) continue;
    if (needsWakeup(next_attempt_at, db.now)) woken.set(endpoint, is_slow === 1);
    if (is_claimed === 1 && recorded && last_seq !== undefined) {
      const { event_id: eventId, event, body } = recorded;
      claimed.push({
        endpoint: { ...row },
        seq: last_seq,
        eventId,
        event,
        body,
        changed: recorded.changed,
        triggeredAt: db.now,
      });
    }
  }
  if (claimed.length > 0) db.sendFirst?.(claimed);
  for (const areSlow of [false, true]) {
    const endpoints = [...woken.keys()].filter((endpoint) => woken.get(endpoint) === areSlow);
    if (endpoints.length > 0) db.wakeEndpoints(endpoints, areSlow);
  }
  // Results are in the order of the statements.
  return results.slice(0, statements.length) as readonly unknown[] as BatchResults<S>;
}

/** An event as it was recorded, if the request claims deliveries. */
interface RecordedEvent {
  event_id: string;
  event: string;
  body: string;
  changed: string | null;
}

type FanOutRow = Partial<SubscribedEndpoint & RecordedEvent>;

/** An endpoint that has been due for this long, without a lease, lost its wake-up. */
const overdueMs = 30_000;

/**
 * Due since this event, or overdue: then the sweep may have stopped, and this event wakes the
 * endpoint instead.
 */
const needsWakeup = (nextAttemptAt: number | undefined, now: number) =>
  nextAttemptAt !== undefined &&
  (nextAttemptAt === now || (nextAttemptAt > 0 && nextAttemptAt < now - overdueMs));

/**
 * Statements that insert the event, give each receiving endpoint the next sequence number, and
 * insert its delivery. Without a receiving endpoint they write nothing.
 */
function fanOutStatements(
  db: StoreDb,
  { name, resource, changed, idempotencyKey, stored }: StoreEvent,
  named: ReturnType<typeof eventScope> & { random: string },
  claims: boolean,
): Statement[] {
  const values = {
    ...named,
    body: eventBody(db, name, resource),
    changed: changed?.join() || null,
    key: idempotencyKey ?? null,
  };
  const fanOut = fanOutOf(name, claims);
  return [
    stored
      ? rawStatement(db, insertEvent(values, withStored(sql`${values.body}`, stored), name, claims))
      : fanOut.insertEvent(db, values),
    fanOut.takeNumbers(db, values),
    fanOut.insertDeliveries(db, values),
  ];
}

/** The values of an event in SQL, or their parameters. */
interface EventTerms extends EventScope {
  random: string | SQL;
  changed: string | null | SQL;
  key: string | null | SQL;
}

const insertEvent = (terms: EventTerms, body: SQL, name: EventName, claims: boolean) =>
  sql`insert into ${webhookEvents} (id, store_id, event, body, changed, idempotency_key, created_at)
    select ${eventIdentity(terms, terms.random).newId}, ${terms.storeId}, ${name}, ${body},
      ${terms.changed}, ${terms.key}, ${terms.now}
    where ${isReceived(terms, name)}
    on conflict (store_id, idempotency_key) where idempotency_key is not null do nothing
    ${claims ? sql`returning id as event_id, event, body, changed` : sql``}`;

const eventTerms = {
  ...eventParameters,
  random: parameter('random'),
  changed: parameter('changed'),
  key: parameter('key'),
} satisfies EventTerms;

type EventValues = ReturnType<typeof eventScope> & {
  random: string;
  body: string;
  changed: string | null;
  key: string | null;
};

/** The statements of an event: their text is the same for each of its name. */
const fanOutOf = memoize((name: EventName, claims: boolean) => {
  const { recordedId } = eventIdentity(eventTerms, eventTerms.random);
  const areRecorded = sql`${recordedId} is not null`;
  return {
    insertEvent: compileStatement<EventValues, FanOutRow>(
      insertEvent(eventTerms, parameter('body'), name, claims),
    ),
    takeNumbers: compileStatement<EventValues, FanOutRow>(
      takeNumbers(eventTerms, name, { count: 1, areRecorded, claims }),
    ),
    insertDeliveries: compileStatement<EventValues>(
      sql`insert into ${webhookDeliveries} (endpoint_id, seq, event_id, state, due_at, created_at)
        select id, last_seq, ${recordedId}, ${newDeliveryState}, ${newDueAt(eventTerms.now, claims)}, ${eventTerms.now}
        from ${webhookEndpoints} where ${isReceiver(eventTerms, name)} and ${areRecorded}`,
    ),
  };
});

/** Of this many small events, one is counted for all. */
const maxWeight = 64;

/** Events of a weight that a budget holds at least. */
const minCounted = 1_024;

/**
 * The statement to run after the inserts of events, given the random ends of their ids. It counts
 * the bytes of those that were recorded. Beyond the budget of the handle it aborts the batch with a
 * 429 where the turn is full, unless the events are free. Internal writers have no budget: their
 * events are counted and never refused.
 */
function budgetStatements(
  db: StoreDb,
  randomEnds: readonly string[],
  pace: EventPace,
): Statement[] {
  if (randomEnds.length === 0) return [];
  const budget = db.eventBudget ?? Infinity;
  const values = {
    ...eventScope(db),
    events: randomEnds.length,
    randomEnds: randomEnds.join(),
    dice: Number.parseInt(randomEnds[0]?.slice(0, 4) ?? '0', 16),
    budget: budget === Infinity ? null : budget,
  };
  return [countEvents(budget === Infinity ? undefined : pace)(db, values)];
}

/**
 * Counts the bytes of events; without a pace, those of internal writers. To count every event would
 * write a row more each time. So small ones are counted at random, with their weight. The first of
 * a day always is, and each of those at the end of the budget is counted for itself. At most one
 * row written, none if no event was recorded.
 */
const countEvents = memoize((pace: EventPace | undefined) => {
  // The newest events of the store are those of this batch, because ids sort by commit.
  const newest = newestIds(
    eventParameters,
    parameter('events'),
    sql`id, octet_length(body) as bytes`,
  );
  const bytes = sql`(select sum(bytes) from ${newest}
    where instr(${parameter('randomEnds')}, substr(id, ${-randomLength})) > 0)`;
  const budget = parameter('budget');
  const usage = usageColumns(eventParameters, budget);
  const isNearEnd = pace === 'free' ? sql`false` : sql`coalesce(today, 0) + weight * size > quota`;
  const weighted = sql`(select case
      when ${isNearEnd} then size
      when ${parameter('dice')} % weight = 0 then weight * size
      when today is null then size end
    from (select size, today, quota, max(1, min(${maxWeight}, cast(quota / (${minCounted} * size) as integer))) as weight
      from (select size, ${usage.today} as today, ${usage.quota} as quota
        from (select ${bytes} as size) left join ${eventBudgets} on store_id = ${eventParameters.storeId} where size > 0)))`;
  return compileStatement<
    ReturnType<typeof eventScope> & {
      events: number;
      randomEnds: string;
      dice: number;
      budget: number | null;
    }
  >(
    pace
      ? countBytes(eventParameters, weighted, { bytes: budget, pace })
      : countBytes(eventParameters, bytes),
  );
});

/**
 * Throws the error of a publish. If the budget was the cause, it first adds the store's own quota
 * to the headers. It also notifies the owner and the operator, once a day and store. One round trip
 * more.
 */
async function reportRefusal(db: StoreDb, error: unknown, pace: EventPace): Promise<never> {
  if (isEventBudgetError(error) && db.eventBudget !== undefined) {
    const scope = eventScope(db);
    const usage = rawStatement<{ quota: number }>(db, selectUsage(scope, db.eventBudget));
    const refusal = rawStatement<{ store_id: number }>(db, noteRefusal(scope));
    const note = db.isDryRun ? [] : [markPreparatory(refusal)];
    const [[{ quota } = { quota: db.eventBudget }], first = []] = await db.batch([usage, ...note]);
    const seconds = Number(error.headers['Retry-After']);
    Object.assign(error.headers, rateLimitHeaders(turnPolicy(quota, pace), seconds));
    if (first.length > 0) {
      log('error', 'event_budget_exhausted', { alert: true, store: db.store.id });
    }
  }
  throw error;
}
