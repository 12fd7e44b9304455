import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { booleanColumn, epochMs, id, json } from '../columns.ts';

/** `jobs.kind`. */
export const jobKinds = [
  'store_export',
  'store_erasure',
  'immediate_erasure',
  'store_move',
  'shard_drain',
  'test_store_fill',
  'second_factor_removal',
  'shard_copy',
  'store_restore',
  'shard_change',
] as const;

/** `jobs.state`. */
export const jobStates = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const;

/**
 * Work on a store, a shard or a user that takes long or waits, done in steps by the sweep of its
 * shard.
 */
export const jobs = sqliteTable(
  'jobs',
  {
    id: id(),
    kind: text('kind', { enum: jobKinds }).notNull(),
    state: text('state', { enum: jobStates }).notNull().default('waiting'),
    /** The shard whose sweep does the steps. */
    shard: integer('shard').notNull(),
    /** Null for work on a shard or a user. */
    store_id: integer('store_id'),
    /** The user whom the work is about; null for other work. */
    user_id: integer('user_id'),
    /** The data of the kind: the shard to move to, and how far it is. */
    progress: json<Record<string, unknown>>('progress').notNull().default({}),
    done: integer('done').notNull().default(0),
    total: integer('total').notNull().default(0),
    result: json<Record<string, unknown>>('result'),
    error: text('error'),
    reason: text('reason'),
    requested_by: integer('requested_by').notNull(),
    /** Whether an operator asked for it as one: then no owner cancels it. */
    by_operator: booleanColumn('by_operator').notNull().default(false),
    /**
     * Who confirmed work that needs another operator than the one who asked for it, and when; null
     * for other work.
     */
    confirmed_by: integer('confirmed_by'),
    confirmed_at: epochMs('confirmed_at'),
    created_at: epochMs('created_at').notNull(),
    /**
     * When the next step is due: later for an erasure that waits, and when the file of an export
     * goes; null after the last.
     */
    due_at: epochMs('due_at'),
    leased_until: epochMs('leased_until').notNull().default(0),
    finished_at: epochMs('finished_at'),
  },
  (table) => [
    index('jobs_due')
      .on(table.shard, table.due_at)
      .where(sql`${table.due_at} is not null`),
    index('jobs_store').on(table.store_id, table.id),
    index('jobs_user')
      .on(table.user_id)
      .where(sql`${table.user_id} is not null`),
  ],
);

/**
 * Copies of stores in a bucket of another account (`stores/copies`). A row is there before the
 * first object of a copy, and goes after the last, so that no object is forgotten.
 */
export const storeCopies = sqliteTable(
  'store_copies',
  {
    id: id(),
    store_id: integer('store_id').notNull(),
    /** The random part of the keys of its objects. */
    name: text('name').notNull(),
    begun_at: epochMs('begun_at').notNull(),
    /** When its manifest was there, so that it is whole; null before. */
    finished_at: epochMs('finished_at'),
    rows: integer('rows').notNull().default(0),
    bytes: integer('bytes').notNull().default(0),
    /** A digest of all values, by which the next night sees whether the store has changed. */
    digest: text('digest').notNull().default(''),
    /**
     * The SHA-256 of the manifest: nobody with the keys of the bucket can put another one in its
     * place.
     */
    manifest_hash: text('manifest_hash').notNull().default(''),
  },
  (table) => [index('store_copies_store').on(table.store_id, table.id)],
);
