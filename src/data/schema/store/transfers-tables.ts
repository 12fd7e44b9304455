import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { booleanColumn, epochMs, id, json, timestamps } from '../columns.ts';

export const transferKinds = ['import', 'export'] as const;

/**
 * The beginning of the keys of uploaded tables that wait for their import. The bucket deletes them
 * after a day.
 */
export const tablePrefix = 'tables/';

/** `transfers.state`. The last three are final. */
export const transferStates = [
  'waiting',
  'running',
  'paused',
  'done',
  'cancelled',
  'failed',
] as const;

/** `transfers.reason`: why a transfer is paused, was cancelled or failed. */
export const transferReasons = ['event_budget', 'requested', 'access_ended', 'file_lost'] as const;

/**
 * `transfers.known_skus`: an import does this with a line that names no product, but a SKU that the
 * store has.
 */
export const knownSkuChoices = ['refuse', 'change', 'skip'] as const;

/** `transfers.stock`: an import leaves the stock of SKUs that exist, or sets it to `quantity`. */
export const stockChoices = ['keep', 'set'] as const;

/**
 * Imports and exports of products, which work in chunks. The changes of a chunk and the progress of
 * the transfer are one transaction. So a chunk that is repeated after a failure does nothing twice.
 */
export const transfers = sqliteTable(
  'transfers',
  {
    id: id(),
    store_id: integer('store_id').notNull(),
    kind: text('kind', { enum: transferKinds }).notNull(),
    state: text('state', { enum: transferStates }).notNull(),
    reason: text('reason', { enum: transferReasons }),
    /**
     * Key of the object with the lines of an import; beginning of the keys of the objects of an
     * export.
     */
    file: text('file').notNull(),
    /** Size of the file; of an export, as far as it is written. */
    bytes: integer('bytes').notNull(),
    /** The ends of the keys of the objects of an export, in their order. */
    parts: json<string[]>('parts').notNull(),
    /**
     * An import: the byte and the number of the next line. An export: the id of the last product.
     */
    position: integer('position').notNull().default(0),
    line: integer('line').notNull().default(0),
    total: integer('total').notNull(),
    done: integer('done').notNull().default(0),
    created: integer('created').notNull().default(0),
    updated: integer('updated').notNull().default(0),
    unchanged: integer('unchanged').notNull().default(0),
    failed: integer('failed').notNull().default(0),
    skipped: integer('skipped').notNull().default(0),
    /**
     * SKUs whose stock an import has set, and those whose stock is another than that of the file
     * and stayed.
     */
    stocks_set: integer('stocks_set').notNull().default(0),
    stocks_left: integer('stocks_left').notNull().default(0),
    /** Errors in `transfer_errors`, and those that were too many to be kept. */
    errors_listed: integer('errors_listed').notNull().default(0),
    errors_left_out: integer('errors_left_out').notNull().default(0),
    with_stock: booleanColumn('with_stock').notNull().default(false),
    /** Whether an import records an event for each product, besides the one at its end. */
    product_events: booleanColumn('product_events').notNull().default(true),
    /** Whether the lines of an import are those of a table (`TableLine`), not of a caller. */
    from_table: booleanColumn('from_table').notNull().default(false),
    known_skus: text('known_skus', { enum: knownSkuChoices }).notNull().default('refuse'),
    stock: text('stock', { enum: stockChoices }).notNull().default('keep'),
    /** The headers of the columns of a table that its import does not read. */
    unused_columns: json<string[]>('unused_columns').notNull().default([]),
    /** The principal that requested it (`Principal`), so that the work ends with that access. */
    actor: text('actor').notNull(),
    user_id: integer('user_id').notNull(),
    client_id: text('client_id'),
    /** When its first lines were committed; null before. */
    started_at: epochMs('started_at'),
    /** When to go on; null if it is finished. */
    due_at: epochMs('due_at'),
    finished_at: epochMs('finished_at'),
    ...timestamps(),
  },
  (table) => [
    index('transfers_store').on(table.store_id),
    index('transfers_open')
      .on(table.store_id, table.kind)
      .where(sql`${table.due_at} is not null`),
    index('transfers_due')
      .on(table.due_at)
      .where(sql`${table.due_at} is not null`),
    index('transfers_finished')
      .on(table.finished_at)
      .where(sql`${table.finished_at} is not null`),
  ],
);

/** Errors of the lines of imports. */
export const transferErrors = sqliteTable(
  'transfer_errors',
  {
    id: id(),
    store_id: integer('store_id').notNull(),
    transfer_id: integer('transfer_id')
      .notNull()
      .references(() => transfers.id, { onDelete: 'cascade' }),
    line: integer('line').notNull(),
    /** The lines of the record that failed: the rows of a product in a table, else the line. */
    from_line: integer('from_line').notNull(),
    to_line: integer('to_line').notNull(),
    field: text('field').notNull(),
    /** The value that does not fit, or its beginning; null without one. */
    sent: text('sent'),
    message: text('message').notNull(),
    ...timestamps(),
  },
  (table) => [index('transfer_errors_transfer').on(table.transfer_id)],
);

/**
 * One row (`id` 1): the lease of the worker on the transfers of this shard, so that there is one at
 * a time.
 */
export const transferSteps = sqliteTable('transfer_steps', {
  id: integer('id').primaryKey(),
  until: epochMs('until').notNull(),
  generation: integer('generation').notNull(),
});
