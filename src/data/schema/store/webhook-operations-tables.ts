import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { id, json, epochMs } from '../columns.ts';

/** `webhook_replays.state`. A replay is cancelled when its endpoint is deleted. */
export const ReplayState = { running: 0, done: 1, cancelled: 2 } as const;

/**
 * The deliveries that a replay sends again: one delivery, one event, or a range of time. Times are
 * epoch milliseconds.
 */
export type ReplayFilter =
  | { seq: number }
  | { event_id: string }
  | { from: number; to: number; states: number[]; events: string[] | null };

/**
 * Replays. The log of the endpoint has been read up to sequence number `cursor`; the replay ends at
 * `last`. Each step moves the cursor in the batch that inserts its deliveries.
 */
export const webhookReplays = sqliteTable(
  'webhook_replays',
  {
    id: id(),
    endpoint_id: integer('endpoint_id').notNull(),
    filter: json<ReplayFilter>('filter').notNull(),
    cursor: integer('cursor').notNull(),
    last: integer('last').notNull(),
    done: integer('done').notNull().default(0),
    skipped: integer('skipped').notNull().default(0),
    total: integer('total').notNull().default(0),
    state: integer('state').notNull().default(ReplayState.running),
    created_at: epochMs('created_at').notNull(),
    done_at: epochMs('done_at'),
  },
  (table) => [
    index('webhook_replays_endpoint').on(table.endpoint_id, table.id),
    index('webhook_replays_done').on(table.done_at),
    index('webhook_replays_running')
      .on(table.id)
      .where(sql`${table.state} = 0`),
  ],
);

/** When the last ping of a store was sent, to limit their rate. */
export const webhookPings = sqliteTable(
  'webhook_pings',
  { store_id: integer('store_id').notNull(), at: epochMs('at').notNull() },
  (table) => [primaryKey({ columns: [table.store_id] })],
);

/**
 * The last check of each receiver's host against the resolver; `rejection` is null for a public
 * host.
 */
export const webhookHosts = sqliteTable(
  'webhook_hosts',
  {
    host: text('host').notNull(),
    checked_at: epochMs('checked_at').notNull(),
    passed_at: epochMs('passed_at'),
    rejection: text('rejection'),
  },
  (table) => [
    primaryKey({ columns: [table.host] }),
    index('webhook_hosts_checked').on(table.checked_at),
  ],
);

/**
 * Hosts that have failed while no endpoint of the store for them was verified. All its unverified
 * endpoints share the clock of their host. One of them may send at `next_at`, which then moves by a
 * step of the retry schedule.
 */
export const unverifiedEndpoints = sqliteTable(
  'webhook_trials',
  {
    store_id: integer('store_id').notNull(),
    host: text('host').notNull(),
    failures: integer('failures').notNull(),
    next_at: epochMs('next_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.store_id, table.host] }),
    index('webhook_trials_next').on(table.next_at),
  ],
);

/** `webhook_notices.kind`: what the owner of an endpoint is notified of. */
export const NoticeKind = {
  failing24h: 'failing_24h',
  failing72h: 'failing_72h',
  throttled24h: 'throttled_24h',
  disabled: 'disabled',
  gone: 'gone',
  restored: 'restored',
} as const;

/**
 * Notices to the owners of endpoints, written in the transaction of their cause. The account pages
 * show them, a log line repeats them, and a trigger creates mails from most of them
 * (`store_notices`).
 */
export const webhookNotices = sqliteTable(
  'webhook_notices',
  {
    id: id(),
    store_id: integer('store_id').notNull(),
    endpoint_id: integer('endpoint_id').notNull(),
    kind: text('kind').notNull(),
    at: epochMs('at').notNull(),
  },
  (table) => [
    index('webhook_notices_endpoint').on(table.endpoint_id, table.id),
    index('webhook_notices_at').on(table.at),
  ],
);
