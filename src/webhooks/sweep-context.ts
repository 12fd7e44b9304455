/** The input of a sweep task. */
export interface SweepContext {
  env: Env;
  shard: number;
  db: D1Database;
  /** Epoch milliseconds. */
  now: () => number;
  /** Whether the time budget of the sweep is left. */
  hasTime: () => boolean;
}
