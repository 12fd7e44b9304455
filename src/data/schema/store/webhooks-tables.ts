import { sql } from 'drizzle-orm';
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import { dayMs } from '../../../base/durations.ts';
import { booleanColumn, id, epochMs, timestamps } from '../columns.ts';

/** `webhook_endpoints.status`. A deleted endpoint keeps its row, so that its log stays readable. */
export const EndpointStatus = { active: 0, paused: 1, autoDisabled: 2, deleted: 3 } as const;

/**
 * The purge visits the stores of one slot (`store_id` modulo this) each minute, so each store every
 * six hours.
 */
export const purgeSlots = 360;

/**
 * `webhook_endpoints.lease_until` while the store of the endpoint moves, and in the old data of a
 * store that has moved. No worker leases such an endpoint, and the sweep leaves it alone.
 */
export const movingLease = 2 ** 52;

/**
 * `webhook_deliveries.state`. All states except `open` are final, but held deliveries may be
 * resumed.
 */
export const DeliveryState = { open: 0, delivered: 1, gaveUp: 2, held: 3, cancelled: 4 } as const;

/**
 * `webhook_endpoints.secret_mode`: which secrets sign, and in which of the `X-Service-Hmac-SHA256`
 * headers.
 *
 * - `single`: only `secret_current` signs.
 * - `overlap`, from the start of a rotation: the old `secret_previous` still signs the header
 *   itself, the new `secret_current` signs `-Next`.
 * - `committed`, from the commit of the rotation: the new secret signs the header, the old one
 *   signs `-Previous`.
 *
 * In the last two modes `webhook-signature` carries the signatures of the new and then of the old
 * secret. At `secret_previous_until` an overlap becomes committed for another `secret_overlap_ms`,
 * and committed becomes single. Readers apply this by the clock (`webhooks/signing-keys.ts`), so a
 * late cron run does not matter.
 */
export const SecretMode = { single: 0, overlap: 1, committed: 2 } as const;

/**
 * Endpoints (the API calls them webhooks), each with a queue of deliveries. All times are epoch
 * milliseconds.
 *
 * - `next_attempt_at` is the retry timer, the visibility timeout and the crash recovery of the
 *   queue at once. It is null only while nothing is open.
 * - `lease_until` and `lease_generation` identify the lease under which deliveries are sent.
 *   Several workers may share it: bit n of `lease_workers` is worker n. Deliveries up to
 *   `lease_claimed_seq` are claimed (`null`: all of them). Once a worker sets
 *   `lease_backoff_until`, no worker sends any more.
 * - `consecutive_failures` counts the backoff steps in a row; `failure_count` counts the failures
 *   since `first_failure_at` that count towards disabling the endpoint.
 * - `proven_at` is the first 2xx of the present `url`. Without it, the endpoint is sent to one
 *   event at a time.
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
    active: booleanColumn('active')
      .notNull()
      .generatedAlwaysAs(sql`status = 0`, { mode: 'virtual' }),
    api_version: text('api_version').notNull().default('2.0'),
    secret_current: text('secret_current').notNull(),
    secret_previous: text('secret_previous'),
    secret_previous_until: epochMs('secret_previous_until'),
    secret_mode: integer('secret_mode').notNull().default(SecretMode.single),
    secret_overlap_ms: integer('secret_overlap_ms').notNull().default(dayMs),
    last_seq: integer('last_seq').notNull().default(0),
    epoch: integer('epoch').notNull().default(1),
    next_attempt_at: epochMs('next_attempt_at'),
    lease_until: epochMs('lease_until').notNull().default(0),
    lease_generation: integer('lease_generation').notNull().default(0),
    lease_workers: integer('lease_workers').notNull().default(0),
    lease_claimed_seq: integer('lease_claimed_seq'),
    lease_backoff_until: epochMs('lease_backoff_until').notNull().default(0),
    consecutive_failures: integer('consecutive_failures').notNull().default(0),
    failure_count: integer('failure_count').notNull().default(0),
    first_failure_at: epochMs('first_failure_at'),
    last_success_at: epochMs('last_success_at'),
    proven_at: epochMs('proven_at'),
    warning_level: integer('warning_level').notNull().default(0),
    latency_ms: integer('latency_ms').notNull().default(0),
    ordered: booleanColumn('ordered').notNull().default(false),
    concurrency: integer('concurrency').notNull().default(2),
    timeout_ms: integer('timeout_ms').notNull().default(5000),
    /** Held deliveries from this sequence number on are being resumed, a batch each minute. */
    resume_from_seq: integer('resume_from_seq'),
    ...timestamps(),
  },
  (table) => [
    index('webhook_endpoints_store').on(table.store_id),
    // The purge visits a slot of the stores each minute (`webhooks/sweep/purge-statements.ts`).
    index('webhook_endpoints_slot').on(sql`(store_id % ${sql.raw(`${purgeSlots}`)})`),
    // Partial, so that the deliveries of an endpoint that is well write no row of it.
    index('webhook_endpoints_backoff')
      .on(table.next_attempt_at)
      .where(sql`${table.consecutive_failures} > 0`),
    // Finds what the sweep has to close, without reading the endpoints that wait for a retry.
    index('webhook_endpoints_inactive')
      .on(table.next_attempt_at)
      .where(sql`${table.next_attempt_at} is not null and ${table.status} <> 0`),
    index('webhook_endpoints_resume')
      .on(table.resume_from_seq)
      .where(sql`${table.resume_from_seq} is not null`),
    index('webhook_endpoints_failing')
      .on(table.first_failure_at)
      .where(sql`${table.first_failure_at} is not null`),
    index('webhook_endpoints_rotating')
      .on(table.secret_previous_until)
      .where(sql`${table.secret_previous_until} is not null`),
  ],
);

/** The events that an endpoint is subscribed to. */
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
 * Events that had a subscriber. `body` is the exact text that is signed and sent. Ids begin with
 * the store and sort by commit within it (`data/core/event-id.ts`). So the primary key is the order
 * of the feed, and reading on from an id misses no event. After some days the body moves to the
 * archive; `archive_offset` and `archive_bytes` then say where it stands in its object
 * (`webhook_archives`).
 */
export const webhookEvents = sqliteTable(
  'webhook_events',
  {
    id: text('id').primaryKey(),
    store_id: integer('store_id').notNull(),
    event: text('event').notNull(),
    idempotency_key: text('idempotency_key'),
    created_at: epochMs('created_at').notNull(),
    archive_offset: integer('archive_offset'),
    archive_bytes: integer('archive_bytes'),
    /**
     * Names of the fields that an update changed, separated by commas; null for an event that is no
     * update.
     */
    changed: text('changed'),
    // The last column, so that SQLite reads the others without it.
    body: text('body'),
  },
  (table) => [
    uniqueIndex('webhook_events_idempotency')
      .on(table.store_id, table.idempotency_key)
      .where(sql`${table.idempotency_key} is not null`),
  ],
);

/**
 * The objects of the archive. Each holds the bodies of consecutive events of one store, up to
 * `last_id`; its key begins with the id of the first. It is deleted when none of these events
 * remains, which is first checked at `expires_at`.
 */
export const webhookArchives = sqliteTable(
  'webhook_archives',
  {
    store_id: integer('store_id').notNull(),
    key: text('key').notNull(),
    last_id: text('last_id').notNull(),
    expires_at: epochMs('expires_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.store_id, table.key] }),
    index('webhook_archives_expires').on(table.expires_at),
  ],
);

/**
 * Deliveries: one event for one endpoint. `seq` counts without gaps per endpoint. With `due_at` 0 a
 * delivery is due whenever its endpoint is; any other value is a retry time of its own.
 */
export const webhookDeliveries = sqliteTable(
  'webhook_deliveries',
  {
    endpoint_id: integer('endpoint_id').notNull(),
    seq: integer('seq').notNull(),
    event_id: text('event_id').notNull(),
    state: integer('state').notNull(),
    due_at: epochMs('due_at').notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** Failed attempts that count against the delivery itself; after 15 it is given up. */
    counted_failures: integer('counted_failures').notNull().default(0),
    trigger: text('trigger').notNull().default('event'),
    replay_of: integer('replay_of'),
    response_status: integer('response_status'),
    error: text('error'),
    duration_ms: integer('duration_ms'),
    created_at: epochMs('created_at').notNull(),
    done_at: epochMs('done_at'),
  },
  (table) => [
    primaryKey({ columns: [table.endpoint_id, table.seq] }),
    index('webhook_deliveries_due')
      .on(table.endpoint_id, table.due_at, table.seq, table.event_id)
      .where(sql`${table.state} = 0`),
    // Finds deliveries that did not arrive without reading those that did.
    index('webhook_deliveries_unsent')
      .on(table.endpoint_id, table.state, table.seq)
      .where(sql`${table.state} >= 2`),
    index('webhook_deliveries_held')
      .on(table.event_id)
      .where(sql`${table.state} = 3`),
  ],
);

/** The log of attempts. A first attempt that succeeds has no row; its delivery holds the result. */
export const webhookAttempts = sqliteTable(
  'webhook_attempts',
  {
    endpoint_id: integer('endpoint_id').notNull(),
    seq: integer('seq').notNull(),
    number: integer('number').notNull(),
    at: epochMs('at').notNull(),
    response_status: integer('response_status'),
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
