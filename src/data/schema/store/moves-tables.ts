import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { epochMs } from '../columns.ts';

/**
 * One row (`id` 1): the number of this shard, so that a database bound under another number is
 * noticed.
 */
export const shardIdentity = sqliteTable('shard_identity', {
  id: integer('id').primaryKey(),
  number: integer('number').notNull(),
  /**
   * Set after a restore: stores are `leaving` until the directory has confirmed that they are still
   * here.
   */
  unconfirmed: integer('unconfirmed').notNull().default(0),
});

/**
 * `outgoingMoves.state`: how far a store is on its way to another shard. Up to `verifying` the move
 * can be aborted; from `switched` on it only goes forward.
 */
export const OutgoingMoveState = {
  announced: 0,
  fenced: 1,
  copying: 2,
  verifying: 3,
  switched: 4,
  moved: 5,
  aborting: 6,
} as const;

/**
 * Outgoing moves: stores that leave or have left this shard. The state is in the database of the
 * store's data, so that it and `placements` change in one transaction. A row of a moved store stays
 * until its old data are deleted.
 */
export const outgoingMoves = sqliteTable('outgoing_moves', {
  store_id: integer('store_id').primaryKey(),
  /** Random, so that a late step of an earlier move of this store changes nothing. */
  move_id: text('move_id').notNull(),
  to_shard: integer('to_shard').notNull(),
  state: integer('state').notNull(),
  /**
   * Where the comparison continues: the position of a table, and the key of its last compared row
   * as JSON.
   */
  position: integer('position').notNull().default(0),
  cursor: text('cursor'),
  /** The rows that were compared so far, and a digest of them. */
  rows: integer('rows').notNull().default(0),
  digest: text('digest').notNull().default(''),
  started_at: epochMs('started_at').notNull(),
  /** When changes of the store were first refused. */
  fenced_at: epochMs('fenced_at'),
  /**
   * The withdrawals of apps that this shard had ended by then (`withdrawal_progress`); later ones
   * are ended again.
   */
  withdrawn_to: epochMs('withdrawn_to').notNull().default(0),
  /** When the present state began. */
  since: epochMs('since').notNull(),
  /** Why the move was aborted. */
  reason: text('reason'),
});

/**
 * Incoming moves: stores whose data are being copied into this shard. Each chunk of rows and the
 * place behind it are one transaction, so no row is copied twice. While `position` is -1, leftovers
 * of an earlier stay or move are deleted.
 */
export const incomingMoves = sqliteTable('incoming_moves', {
  store_id: integer('store_id').primaryKey(),
  move_id: text('move_id').notNull(),
  from_shard: integer('from_shard').notNull(),
  position: integer('position').notNull().default(-1),
  cursor: text('cursor'),
});
