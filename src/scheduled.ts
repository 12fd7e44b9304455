import { maintainGrants } from './oauth/storage/maintenance.ts';
import { runTimers } from './platform/run-timers.ts';
import { purgeExpiredSessions } from './session/purge.ts';
import { sweep } from './webhooks/sweep/run.ts';

/** Runs all tasks of cron, once a minute. `now` is in epoch milliseconds. */
export const runScheduledTasks = (env: Env, now: number) =>
  Promise.all([
    sweep(env),
    runTimers(env),
    maintainGrants(env, now),
    purgeExpiredSessions(env.DIRECTORY, now),
  ]);
