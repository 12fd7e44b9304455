import { sql } from 'drizzle-orm';
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import { flag, id, moment, timestamps } from './columns.ts';

/** `webhook_endpoints.status`: a deleted endpoint keeps its row, so that its log stays readable. */
export const EndpointStatus = { active: 0, paused: 1, autoDisabled: 2, deleted: 3 } as const;

/** `webhook_deliveries.state`: `open` is the only one that is not final. */
export const DeliveryState = { open: 0, delivered: 1, gaveUp: 2, held: 3, cancelled: 4 } as const;

/**
 * `webhook_endpoints.secret_mode`: which secrets sign, and in which header of the specification's family.
 * `single`: `secret_current` alone. `overlap`, from the start of a rotation: `secret_previous` (the old one) still
 * signs the header itself, `secret_current` (the new one) signs `-Next`. `committed`, from its commit: the new one
 * signs the header, the old one `-Previous`. In both, `webhook-signature` carries the new one's and then the old
 * one's. At `secret_previous_until` an overlap is committed for another `secret_overlap_ms`, and what was committed
 * becomes single; a read goes by the clock, so it is not late when cron is.
 */
export const SecretMode = { single: 0, overlap: 1, committed: 2 } as const;

/**
 * Receivers, each with one mailbox ("lane"). `wake_at` is at once retry timer, visibility timeout and
 * crash recovery; `lease_until` and `lease_gen` say who drains the lane now. Under one lease several may be at work:
 * bit n of `lease_workers` stands for the n-th, deliveries up to `lease_claimed` are somebody's (`null`: all are), and since
 * one of them found a reason to rest until `lease_rest`, nobody goes on. `fail_streak` counts the steps that the
 * lane has backed off in a row, `fail_count` the failures since `first_fail_at` that the endpoint is blamed for. All
 * times are epoch milliseconds.
 */
export const webhookEndpoints = sqliteTable(
  'webhook_endpoints',
  {
    id: id(),
    store_id: integer('store_id').notNull(),
    client_id: text('client_id'),
    url: text('url').notNull(),
    url_folded: text('url_folded').notNull(),
    name: text('name').notNull(),
    name_folded: text('name_folded').notNull(),
    status: integer('status').notNull().default(EndpointStatus.active),
    active: flag('active')
      .notNull()
      .generatedAlwaysAs(sql`status = 0`, { mode: 'virtual' }),
    api_version: text('api_version').notNull().default('2.0'),
    secret_current: text('secret_current').notNull(),
    secret_previous: text('secret_previous'),
    secret_previous_until: moment('secret_previous_until'),
    secret_mode: integer('secret_mode').notNull().default(SecretMode.single),
    secret_overlap_ms: integer('secret_overlap_ms').notNull().default(86_400_000),
    last_seq: integer('last_seq').notNull().default(0),
    epoch: integer('epoch').notNull().default(1),
    wake_at: moment('wake_at'),
    lease_until: moment('lease_until').notNull().default(0),
    lease_gen: integer('lease_gen').notNull().default(0),
    lease_workers: integer('lease_workers').notNull().default(0),
    lease_claimed: integer('lease_claimed'),
    lease_rest: moment('lease_rest').notNull().default(0),
    fail_streak: integer('fail_streak').notNull().default(0),
    fail_count: integer('fail_count').notNull().default(0),
    first_fail_at: moment('first_fail_at'),
    last_ok_at: moment('last_ok_at'),
    warn_level: integer('warn_level').notNull().default(0),
    latency_ms: integer('latency_ms').notNull().default(0),
    ordered: flag('ordered').notNull().default(false),
    concurrency: integer('concurrency').notNull().default(2),
    timeout_ms: integer('timeout_ms').notNull().default(5000),
    /** Held deliveries from this sequence number on are being let go, some each minute. */
    release_from: integer('release_from'),
    ...timestamps(),
  },
  (table) => [
    index('webhook_endpoints_store').on(table.store_id),
    index('webhook_endpoints_wake')
      .on(table.wake_at)
      .where(sql`${table.wake_at} is not null`),
    index('webhook_endpoints_release')
      .on(table.release_from)
      .where(sql`${table.release_from} is not null`),
    index('webhook_endpoints_failing')
      .on(table.first_fail_at)
      .where(sql`${table.first_fail_at} is not null`),
    index('webhook_endpoints_rotating')
      .on(table.secret_previous_until)
      .where(sql`${table.secret_previous_until} is not null`),
  ],
);

/** Which endpoint wants which event. */
export const webhookSubscriptions = sqliteTable(
  'webhook_subscriptions',
  {
    store_id: integer('store_id').notNull(),
    event: text('event').notNull(),
    endpoint_id: integer('endpoint_id')
      .notNull()
      .references(() => webhookEndpoints.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.store_id, table.event, table.endpoint_id] }),
    index('webhook_subscriptions_endpoint').on(table.endpoint_id),
  ],
);

/**
 * Events that had a subscriber. `body` is the exact text that is signed and sent. Ids (`events/event-id`) begin with
 * the store and sort by commit within it, so the key is also the order of the feed: who reads on from one misses none.
 */
export const webhookEvents = sqliteTable(
  'webhook_events',
  {
    id: text('id').primaryKey(),
    store_id: integer('store_id').notNull(),
    event: text('event').notNull(),
    body: text('body').notNull(),
    idempotency_key: text('idempotency_key'),
    created_at: moment('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('webhook_events_idempotency')
      .on(table.store_id, table.idempotency_key)
      .where(sql`${table.idempotency_key} is not null`),
  ],
);

/**
 * One event for one endpoint; `seq` counts without gaps per endpoint. `due_at` 0 means as soon as the lane is awake;
 * any other moment is a schedule of its own.
 */
export const webhookDeliveries = sqliteTable(
  'webhook_deliveries',
  {
    endpoint_id: integer('endpoint_id').notNull(),
    seq: integer('seq').notNull(),
    event_id: text('event_id').notNull(),
    state: integer('state').notNull(),
    due_at: moment('due_at').notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** Tries that failed for a reason of the delivery's own; after 15 it is given up. */
    refusals: integer('refusals').notNull().default(0),
    trigger: text('trigger').notNull().default('event'),
    replay_of: integer('replay_of'),
    code: integer('code'),
    error: text('error'),
    duration_ms: integer('duration_ms'),
    created_at: moment('created_at').notNull(),
    done_at: moment('done_at'),
  },
  (table) => [
    primaryKey({ columns: [table.endpoint_id, table.seq] }),
    index('webhook_deliveries_due')
      .on(table.endpoint_id, table.due_at, table.seq, table.event_id)
      .where(sql`${table.state} = 0`),
    // What did not arrive, so that the log finds it without going through what did.
    index('webhook_deliveries_unsent')
      .on(table.endpoint_id, table.state, table.seq)
      .where(sql`${table.state} >= 2`),
    index('webhook_deliveries_held')
      .on(table.event_id)
      .where(sql`${table.state} = 3`),
  ],
);

/** The log of failed and repeated sends; a first send that succeeds is told by its delivery alone. */
export const webhookAttempts = sqliteTable(
  'webhook_attempts',
  {
    endpoint_id: integer('endpoint_id').notNull(),
    seq: integer('seq').notNull(),
    number: integer('number').notNull(),
    at: moment('at').notNull(),
    code: integer('code'),
    error: text('error'),
    duration_ms: integer('duration_ms').notNull(),
    response_headers: text('response_headers'),
    response_body: text('response_body'),
    key_id: text('key_id'),
    host: text('host').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.endpoint_id, table.seq, table.number] }),
    index('webhook_attempts_at').on(table.at),
    index('webhook_attempts_snippets')
      .on(table.at)
      .where(sql`${table.response_body} is not null`),
  ],
);
