import { integer, primaryKey, sqliteTable, text, index } from 'drizzle-orm/sqlite-core';
import { epochMs } from '../columns.ts';

/**
 * The number of records of each kind (table name) in a store. Triggers maintain it, so that a list does not count its
 * table.
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
 * Always empty. An assertion inserts a null here to abort its batch: the NOT NULL constraint fails, the batch is rolled
 * back, and the column in the message of SQLite tells the cause (`core/errors.ts`).
 */
export const assertions = sqliteTable('assertions', {
  revision: integer('revision').notNull(),
  grant_live: integer('grant_live').notNull(),
});

/** The highest reserved id of each kind whose ids are reserved before the insert. */
export const sequences = sqliteTable('sequences', {
  kind: text('kind').primaryKey(),
  last: integer('last').notNull(),
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
 * Executed requests that had an idempotency key. `key` and `fingerprint` are MACs; `response` is sealed, and null until it is
 * known. A row is inserted in the transaction of the change, so a row without a response means that the change was made.
 * `changes_before` is `total_changes()` before the insert; a transaction that changes nothing else deletes its row again.
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

/**
 * The bytes of events and of stored responses that a store has recorded on `day` (days of UTC since 1970). An older day
 * counts as zero bytes. A write beyond the budget sets `bytes` to null, which aborts its batch. On `refused_day` a write was
 * last refused.
 */
export const eventBudgets = sqliteTable('event_budgets', {
  store_id: integer('store_id').primaryKey(),
  day: integer('day').notNull(),
  bytes: integer('bytes').notNull(),
  refused_day: integer('refused_day'),
});
