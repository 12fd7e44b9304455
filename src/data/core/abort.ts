import { sql, type SQL } from 'drizzle-orm';

/** Why a batch aborts itself. `data-errors.ts` says which error each cause becomes. */
export type AbortCause =
  | 'answer_too_large'
  | 'conflict'
  | 'event_budget'
  | 'facts'
  | 'grant_live'
  | 'list_too_long'
  | 'move_lost'
  | 'moving'
  | 'heartbeat'
  | 'placement'
  | 'shard_number'
  | 'stores'
  | 'stores_today'
  | 'test_clock'
  | 'test_store_full'
  | 'test_stores'
  | 'unchanged';

/**
 * SQL text of an expression that aborts the batch with the name of the cause. A select cannot raise an error, but a JSON path
 * that is wrong can. SQLite evaluates it only when it is reached, so it stands in a branch of `iif` or `coalesce`. It writes
 * nothing, so a replica can run it and D1 may repeat it.
 */
export const abortWith = (cause: AbortCause) => `json_extract('{}', '${cause}')`;

/** A statement that aborts its batch unless the condition holds; a null does not hold. Writes nothing. */
export const abortUnless = (condition: SQL, cause: AbortCause): SQL =>
  sql`select iif(${condition}, 1, ${sql.raw(abortWith(cause))})`;
