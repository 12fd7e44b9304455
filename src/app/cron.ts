import { sql } from 'drizzle-orm';
import { keepLogos } from '../accounts/partners/app-logo.ts';
import { log } from '../base/log.ts';
import { settingsOf } from '../base/settings.ts';
import { openDatabase } from '../data/core/open-database.ts';
import { rawDatabaseStatement } from '../data/core/raw.ts';
import { hasOldAppDeliveries } from '../data/directory/app-deliveries.ts';
import { hasExpiredSessions } from '../data/directory/sessions.ts';
import { hasDueMails } from '../mail/outbox.ts';
import { sweepMails } from '../mail/send-mail.ts';
import { runAppEvents, hasDueAppWebhooks } from '../ops/app-webhooks.ts';
import {
  purgeAgents,
  purgeAudit,
  purgeExpiredSessions,
  purgeRequests,
  purgeTombstones,
} from '../ops/purge-directory.ts';
import { hasSecretsToReseal, resealDirectory } from '../ops/reseal-secrets.ts';
import { requestSweeps } from '../ops/sweep-queue.ts';

/**
 * Runs all tasks of cron, once a minute. Work on a shard is a task of its sweep
 * (`ops/sweep-tasks.ts`). `now` is in epoch milliseconds.
 */
export const runScheduledTasks = (env: Env, now: number) =>
  Promise.all([requestSweeps(env), runDirectoryTasks(env, now)]);

/**
 * Runs the tasks of the directory that are due. One call in an idle minute; two when a task of the
 * hour looks.
 */
async function runDirectoryTasks(env: Env, now: number): Promise<void> {
  const due = await lookAtDirectory(env, now);
  await Promise.all([
    due.sessions && purgeExpiredSessions(env.DIRECTORY, now),
    due.mails && sweepMails(env, now),
    due.appEvents && runAppEvents(env, { isSweep: true }),
    due.secrets && resealDirectory(env),
    purgeRequests(env.DIRECTORY, now),
    purgeAgents(env.DIRECTORY, now),
    purgeAudit(env.DIRECTORY, now),
    purgeTombstones(env.DIRECTORY, now),
    keepLogos(env, now),
  ]);
}

/** Which tasks have something to do. SQLite returns 0 or 1. */
type DueTasks = Record<'sessions' | 'mails' | 'appEvents' | 'secrets', number>;

/**
 * Looks for work in the directory. The condition of a task stands beside its statements. Never
 * rejects: after a failure each task looks for itself.
 */
async function lookAtDirectory(env: Env, now: number): Promise<DueTasks> {
  const everything = { sessions: 1, mails: 1, appEvents: 1, secrets: 1 };
  try {
    const directory = openDatabase(env.DIRECTORY);
    const look = rawDatabaseStatement<DueTasks>(
      directory,
      sql`select ${hasExpiredSessions(now)} as sessions,
        ${hasDueMails(now)} as mails,
        ${hasDueAppWebhooks(now)} or ${hasOldAppDeliveries(now)} as appEvents,
        ${await hasSecretsToReseal(settingsOf(env))} as secrets`,
    );
    const [[due]] = await directory.batch([look]);
    return due ?? everything;
  } catch (error) {
    const reason = error instanceof Error ? error.name : typeof error;
    log('error', 'directory_look_failed', { alert: true, reason });
    return everything;
  }
}
