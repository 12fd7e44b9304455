import { sweep } from './events/sweep.ts';
import { tidyGrants } from './oauth/tidy-grants.ts';
import { runTimers } from './platform/run-timers.ts';
import { purge } from './session/purge.ts';

/** What cron does. */
export const everyMinute = (env: Env, now: number) =>
  Promise.all([sweep(env), runTimers(env), tidyGrants(env, now), purge(env.DIRECTORY, now)]);
