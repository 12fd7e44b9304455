import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { id, moment } from './columns.ts';

/** `webhook_notices.kind`: what the owner of an endpoint is told, once for each time that it happens. */
export const NoticeKind = {
  failing24h: 'failing_24h',
  failing72h: 'failing_72h',
  slowed24h: 'slowed_24h',
  disabled: 'disabled',
  gone: 'gone',
  restored: 'restored',
} as const;

/**
 * What owners are told of their endpoints, written in the transaction of what it tells. The merchant's page shows
 * it, and a line of the log says it; nothing is mailed.
 */
export const webhookNotices = sqliteTable(
  'webhook_notices',
  {
    id: id(),
    store_id: integer('store_id').notNull(),
    endpoint_id: integer('endpoint_id').notNull(),
    kind: text('kind').notNull(),
    at: moment('at').notNull(),
  },
  (table) => [
    index('webhook_notices_endpoint').on(table.endpoint_id, table.id),
    index('webhook_notices_at').on(table.at),
  ],
);

/** Hints whose consumer failed too often for reasons of our own; for the operator. */
export const webhookDeadHints = sqliteTable(
  'webhook_dead_hints',
  {
    id: id(),
    endpoint_id: integer('endpoint_id').notNull(),
    at: moment('at').notNull(),
    error: text('error').notNull(),
  },
  (table) => [index('webhook_dead_hints_at').on(table.at)],
);
