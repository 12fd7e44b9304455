import { integer, sqliteTable } from 'drizzle-orm/sqlite-core';
import { epochMs } from './columns.ts';

/**
 * One row (`id` 1) with a time in epoch milliseconds. A read replica that shows the pulse of a moment shows all that was
 * committed before it.
 */
export const pulse = sqliteTable('pulse', {
  id: integer('id').primaryKey(),
  at: epochMs('at').notNull(),
  /** Until then the sweep renews the pulse of a shard: somebody reads its replicas. Unused in the directory. */
  wanted_until: epochMs('wanted_until').notNull().default(0),
});
