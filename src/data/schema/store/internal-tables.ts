import { sql } from 'drizzle-orm';
import { integer, primaryKey, sqliteTable, text, index } from 'drizzle-orm/sqlite-core';
import { epochMs } from '../columns.ts';

export { schemaVersions } from '../schema-version.ts';

/**
 * The number of records of each kind (table name) in a store. Triggers maintain it, so that a list
 * does not count its table.
 */
export const totals = sqliteTable(
  'totals',
  {
    store_id: integer('store_id').notNull(),
    kind: text('kind').notNull(),
    total: integer('total').notNull(),
  },
  (table) => [primaryKey({ columns: [table.store_id, table.kind] })],
);

/**
 * The highest reserved id (`kind` `records`). All kinds share it, so that a request reserves its
 * ids with one row.
 */
export const sequences = sqliteTable('sequences', {
  kind: text('kind').primaryKey(),
  last: integer('last').notNull(),
});

/** The `kind` of all ids that are reserved before the insert (`core/reserved-ids.ts`). */
export const reservedKind = 'records';

/** The tables whose rows have timers, in a column `due_at`. */
export const timedTables = ['carts', 'transactions'] as const;

/**
 * For each timed table (`kind`), a time before which no timer of the shard is due. So a quiet
 * minute reads one row, however many stores have timers. Triggers lower it with an earlier timer;
 * the sweep raises it.
 */
export const timerBounds = sqliteTable('timer_bounds', {
  kind: text('kind').primaryKey(),
  due_at: epochMs('due_at').notNull(),
});

/** The tables that are counted in `totals`. */
export const countedKinds = [
  'banners',
  'brands',
  'bundles',
  'carts',
  'categories',
  'collections',
  'customers',
  'customizations',
  'feeds',
  'filters',
  'flags',
  'orders',
  'product_comments',
  'products',
  'transactions',
] as const;

/**
 * Executed requests that had an idempotency key. `key` and `fingerprint` are MACs; `response` is
 * sealed, and null until it is known. A row is inserted in the transaction of the change, so a row
 * without a response means that the change was committed. `changes_before` is `total_changes()`
 * before the insert; a transaction that changes nothing else deletes its row again.
 */
export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    store_id: integer('store_id').notNull(),
    key: text('key').notNull(),
    fingerprint: text('fingerprint').notNull(),
    changes_before: integer('changes_before').notNull(),
    created_at: epochMs('created_at').notNull(),
    // The last column, so that SQLite reads the others without it.
    response: text('response'),
  },
  (table) => [
    primaryKey({ columns: [table.store_id, table.key] }),
    index('idempotency_keys_created').on(table.created_at),
  ],
);

/** When the clock of a test store was last advanced, to limit how often that is done. */
export const testClocks = sqliteTable('test_clocks', {
  store_id: integer('store_id').primaryKey(),
  advanced_at: epochMs('advanced_at').notNull(),
});

/**
 * The bytes of events and of stored responses that a store has recorded on `day` (days of UTC since
 * 1970). An older day counts as zero bytes. Beyond the budget, `turn_bytes` were recorded in the
 * turn of ten seconds `turn`, where those of bulk changes count many times. A write that finds it
 * full aborts its batch. On `refused_day` a write was last refused. `budget` is a copy of
 * `stores.event_budget` of the directory. `noticed` is the day and the percentage of its last
 * notice, such as 2089350. Beyond the budget it is 99. A trigger writes a notice where it rises.
 *
 * Bodies of events up to the id `archived_to` are in the archive; `archive_at` is when to look for
 * more. A store without events has no such time, until a trigger sets it with the next bytes that
 * are counted.
 */
export const eventBudgets = sqliteTable(
  'event_budgets',
  {
    store_id: integer('store_id').primaryKey(),
    day: integer('day').notNull(),
    bytes: integer('bytes').notNull(),
    refused_day: integer('refused_day'),
    turn: integer('turn').notNull().default(0),
    turn_bytes: integer('turn_bytes').notNull().default(0),
    budget: integer('budget'),
    noticed: integer('noticed').notNull().default(0),
    archived_to: text('archived_to').notNull().default(''),
    archive_at: epochMs('archive_at').default(0),
  },
  (table) => [
    index('event_budgets_archive')
      .on(table.archive_at)
      .where(sql`${table.archive_at} is not null`),
  ],
);
