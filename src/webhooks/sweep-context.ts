/** The input of a sweep task. */
export interface SweepContext {
  env: Env;
  shard: number;
  db: D1Database;
  /** Epoch milliseconds. */
  now: () => number;
  /** Whether time of the task is left. */
  hasTime: () => boolean;
}
