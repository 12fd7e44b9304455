import { integer, sqliteTable } from 'drizzle-orm/sqlite-core';
import { epochMs } from './columns.ts';

/**
 * One row (`id` 1) with a time in epoch milliseconds. A read replica that shows the heartbeat of a moment shows all
 * that was committed before it.
 */
export const heartbeats = sqliteTable('heartbeats', {
  id: integer('id').primaryKey(),
  at: epochMs('at').notNull(),
  /** Until then the sweep renews the heartbeat of a shard, because its replicas are read. Unused in the directory. */
  wanted_until: epochMs('wanted_until').notNull().default(0),
});
