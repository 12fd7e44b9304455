import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { moment } from './columns.ts';

/**
 * Requests with an idempotency key that were carried out. `key` and `fingerprint` are MACs (`access/keyed-request`), `answer` is
 * sealed and null until it is known. A row is written in the transaction of the change, so one without an answer says
 * that the change was made. `changes_before` counts the changes of the connection before that, so that a
 * transaction that changes nothing leaves no row.
 */
export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    store_id: integer('store_id').notNull(),
    key: text('key').notNull(),
    fingerprint: text('fingerprint').notNull(),
    changes_before: integer('changes_before').notNull(),
    created_at: moment('created_at').notNull(),
    // The last one, so that the others are read without it.
    answer: text('answer'),
  },
  (table) => [
    primaryKey({ columns: [table.store_id, table.key] }),
    index('idempotency_keys_created').on(table.created_at),
  ],
);
