/** What a duty of cron has to work with: one shard, and the time that is left. */
export interface Shift {
  env: Env;
  shard: number;
  db: D1Database;
  /** Epoch milliseconds. */
  now: () => number;
  mayGoOn: () => boolean;
}
