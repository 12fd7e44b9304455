import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { id, json, moment } from './columns.ts';

/** `webhook_replays.state`: a cancelled one lost its endpoint. */
export const ReplayState = { running: 0, done: 1, cancelled: 2 } as const;

/** What a replay sends again: one delivery, one event, or what a range of time holds. Moments in milliseconds. */
export type ReplayFilter =
  | { seq: number }
  | { event_id: string }
  | { from: number; to: number; states: number[]; events: string[] | null };

/**
 * What is being sent again. `cursor` is the sequence number up to which the endpoint's log has been gone
 * through, `last` the one at which it ends; each step moves the cursor in the batch that adds its deliveries.
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
    created_at: moment('created_at').notNull(),
    done_at: moment('done_at'),
  },
  (table) => [
    index('webhook_replays_endpoint').on(table.endpoint_id, table.id),
    index('webhook_replays_done').on(table.done_at),
    index('webhook_replays_running')
      .on(table.id)
      .where(sql`${table.state} = 0`),
  ],
);

/** Who changed what of a webhook, and when; written with the change and kept for a year. */
export const webhookAudit = sqliteTable(
  'webhook_audit',
  {
    id: id(),
    store_id: integer('store_id').notNull(),
    endpoint_id: integer('endpoint_id').notNull(),
    action: text('action').notNull(),
    /** Names the credential, never a secret. */
    actor: text('actor').notNull(),
    user_id: integer('user_id').notNull(),
    at: moment('at').notNull(),
  },
  (table) => [
    index('webhook_audit_endpoint').on(table.endpoint_id, table.id),
    index('webhook_audit_at').on(table.at),
  ],
);

/** When a store last had a ping sent. */
export const webhookPings = sqliteTable(
  'webhook_pings',
  { store_id: integer('store_id').notNull(), at: moment('at').notNull() },
  (table) => [primaryKey({ columns: [table.store_id] })],
);

/** What the resolver last said of a receiver's host: `refusal` is null for a public one. */
export const webhookHosts = sqliteTable(
  'webhook_hosts',
  {
    host: text('host').notNull(),
    checked_at: moment('checked_at').notNull(),
    good_at: moment('good_at'),
    refusal: text('refusal'),
  },
  (table) => [
    primaryKey({ columns: [table.host] }),
    index('webhook_hosts_checked').on(table.checked_at),
  ],
);
