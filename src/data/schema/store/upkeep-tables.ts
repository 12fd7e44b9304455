import { integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { epochMs } from '../columns.ts';

/**
 * One row (`id` 1): the withdrawals of apps (`apps.withdrawn_at`) up to which this shard has ended
 * the grants. It is restored with the grants, so a restored shard ends them again.
 */
export const withdrawalProgress = sqliteTable('withdrawal_progress', {
  id: integer('id').primaryKey(),
  done_to: epochMs('done_to').notNull(),
});

/**
 * How far the stored secrets are sealed again after a rotation. The row of the current key has the
 * beginning of the texts that it seals. A pass visits the webhooks, then the mail accounts, by id.
 */
export const resealings = sqliteTable('resealings', {
  prefix: text('prefix').primaryKey(),
  /** The ids up to which the present pass came. */
  endpoint_id: integer('endpoint_id').notNull().default(0),
  email_id: integer('email_id').notNull().default(0),
  pass_began_at: epochMs('pass_began_at').notNull(),
  /** Secrets that the present pass sealed again, and those that no key opens. */
  resealed: integer('resealed').notNull().default(0),
  unreadable: integer('unreadable').notNull().default(0),
  started_at: epochMs('started_at').notNull(),
  /** When a pass found nothing more to seal. */
  done_at: epochMs('done_at'),
});

/**
 * How far the long changes of releases are in this shard (`shards/long-changes.ts`). A row appears
 * with the first sweep of a release that declares it.
 */
export const longChanges = sqliteTable('long_changes', {
  name: text('name').primaryKey(),
  /** The step in work, and the key of the last row that it changed; null at its beginning. */
  step: integer('step').notNull().default(0),
  position: integer('position'),
  /** The rows of all steps so far. */
  rows: integer('rows').notNull().default(0),
  /** From when it may begin: an older version may write old rows until then. */
  started_at: epochMs('started_at').notNull(),
  finished_at: epochMs('finished_at'),
});

/**
 * The milliseconds in the database that requests of each store took since the last record of the
 * shard. They are estimated from the successes that the log of requests samples.
 */
export const storeLoads = sqliteTable('store_loads', {
  store_id: integer('store_id').primaryKey(),
  ms: real('ms').notNull(),
});
