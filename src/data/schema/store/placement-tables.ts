import { sql } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { booleanColumn } from '../columns.ts';

/**
 * `placements.state`: whether the data of a store are in this shard. Only `here` allows changes;
 * `here` and `leaving` allow reads. The data of an `erased` store are deleted, and never come back.
 */
export const PlacementState = { here: 0, leaving: 1, gone: 2, erased: 3 } as const;

/**
 * The stores of this shard. A positive list. A store without a row is not here, so an isolate with
 * old knowledge can change nothing in a shard that a store has left.
 */
export const placements = sqliteTable('placements', {
  store_id: integer('store_id').primaryKey(),
  state: integer('state').notNull().default(PlacementState.here),
  /** The shard that a store went to. */
  to_shard: integer('to_shard'),
  /** Changes whenever the history of the data breaks, by a move or a restore. */
  epoch: integer('epoch').notNull().default(0),
  /**
   * The facts of the store that access tokens repeat (`factsOf`), as of `version` of the directory.
   * The sweep copies both.
   */
  facts: text('facts').notNull().default(''),
  version: integer('version').notNull().default(0),
  /** Whether the store is active, as of that version. For one that is not, everything waits. */
  works: booleanColumn('works').notNull(),
});

/**
 * The condition that the store is in this shard, and not leaving it. `store` is a parameter or a
 * qualified column.
 */
export const isHereSql = (store: string) =>
  sql.raw(
    `(select state from placements where placements.store_id = ${store}) is ${PlacementState.here}`,
  );

/** {@link isHereSql} of one store. */
export const isHere = (storeId: number) =>
  sql`(select state from ${placements} where store_id = ${storeId}) is ${PlacementState.here}`;

/**
 * The condition that the store is in this shard, and active. All work that a store starts by itself
 * (deliveries, timers, transfers, replays) requires it; upkeep such as purges does not.
 */
export const isAtWorkSql = (store: string) =>
  sql.raw(
    `(select works and state = ${PlacementState.here} from placements where placements.store_id = ${store}) is 1`,
  );
