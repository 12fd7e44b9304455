import { beatDirectory } from './platform/beat-directory.ts';
import { requestSweeps } from './platform/sweep/queue.ts';
import { purgeExpiredSessions } from './session/purge.ts';

/**
 * Runs all tasks of cron, once a minute. What a shard needs is a task of its sweep (`platform/sweep/tasks.ts`). `now` is in
 * epoch milliseconds.
 */
export const runScheduledTasks = (env: Env, now: number) =>
  Promise.all([
    requestSweeps(env),
    purgeExpiredSessions(env.DIRECTORY, now),
    beatDirectory(env.DIRECTORY, now),
  ]);
