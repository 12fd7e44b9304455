import { DepartureState, type departures } from '../../db/schema/store/moves.ts';
import type { SweepContext } from '../../sweep-task.ts';

/** A row of `departures`. */
export type Departure = typeof departures.$inferSelect;

/** One move as a run of the sweep sees it. */
export interface Move extends Departure {
  context: SweepContext;
  source: D1Database;
  target: D1Database;
}

/** Part of the message of SQLite when a statement of {@link assertion} fails. */
const lostName = 'move_lost';

/** Whether a batch failed because another run, or an operator, has taken the move further. Nothing was changed then. */
export const isLost = (error: unknown) =>
  error instanceof Error && error.message.includes(lostName);

/** Aborts the batch unless the condition holds. A select, so it costs no written row. */
export const assertion = (
  db: D1Database,
  condition: string,
  ...values: (number | string | null)[]
) =>
  db
    .prepare(`select iif(${condition}, 1, json_extract('{}', '${lostName}')) as ok`)
    .bind(...values);

/** Aborts a batch of the source unless the move is in this state. */
export const assertState = ({ source, store_id, move_id }: Move, state: number) =>
  assertion(
    source,
    'exists (select 1 from departures where store_id = ? and move_id = ? and state = ?)',
    store_id,
    move_id,
    state,
  );

/** The statement that begins a state. */
export const beginState = ({ source, store_id, move_id, context }: Move, state: number) =>
  source
    .prepare('update departures set state = ?, since = ? where store_id = ? and move_id = ?')
    .bind(state, context.now(), store_id, move_id);

/** The states in which no data of the store may change in its shard, but by the move. */
export const isCopiedSql = `state in (${DepartureState.fenced}, ${DepartureState.copying}, ${DepartureState.verifying})`;

/** The condition in the new shard that the move of a store is at a position. */
export const isArrivingSql =
  'exists (select 1 from arrivals where store_id = ? and move_id = ? and position = ?)';

/** Whether another step of the move can be made now. */
export type Progress = 'again' | 'wait';
