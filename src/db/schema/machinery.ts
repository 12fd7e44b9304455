import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * How many records of a kind (table name) a store has, kept by triggers, so that a page's `total` does not
 * count the table.
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
 * Always empty. A statement of a batch that must not go on inserts a null here: the constraint fails and
 * the whole batch is rolled back; the column's name in SQLite's message says why.
 */
export const assertions = sqliteTable('assertions', {
  revision: integer('revision').notNull(),
  grant_live: integer('grant_live').notNull(),
});

/** The highest id given out of each kind whose ids are reserved before the record is written. */
export const sequences = sqliteTable('sequences', {
  kind: text('kind').primaryKey(),
  last: integer('last').notNull(),
});
