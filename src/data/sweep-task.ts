/** The input of a task of the sweep: one shard, for up to 20 s. */
export interface SweepContext {
  env: Env;
  shard: number;
  db: D1Database;
  /** Epoch milliseconds. */
  now: () => number;
  /** Whether time of the task remains. */
  hasTime: () => boolean;
}

/**
 * Work that every shard needs each minute. It must be safe to run twice at once, late, or not at
 * all.
 */
export interface SweepTask {
  /** Names its result in the log. */
  name: string;
  /** Returns how much it did. */
  run: (context: SweepContext) => Promise<number>;
  /** When the time of the task ends, in milliseconds since the start of the sweep. */
  untilMs: number;
  /**
   * A run that does so much has not done everything; another round of the sweep follows at once.
   */
  limit?: number;
  /**
   * It deletes or rewrites rows of many stores, so it waits while a store is copied out of or into
   * the shard. Its writes abort if that begins meanwhile (`stores/move/at-rest.ts`).
   */
  restsDuringMoves?: true;
}
