import { runAppEvents } from './app-webhooks/sweep.ts';
import { sweepMails } from './mail/queue.ts';
import { purgeRefusals } from './partners/purge.ts';
import { resealAppWebhooks } from './people/partners/reseal-app-webhooks.ts';
import { purgeAudit } from './people/purge-audit.ts';
import { resealSecondFactors } from './people/second-factor/reseal.ts';
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
    sweepMails(env, now),
    runAppEvents(env, { isSweep: true }),
    purgeRefusals(env.DIRECTORY, now),
    resealSecondFactors(env),
    resealAppWebhooks(env),
    purgeAudit(env.DIRECTORY, now),
  ]);
