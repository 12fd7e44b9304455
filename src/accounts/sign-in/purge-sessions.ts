import { log } from '../../base/log.ts';
import { deleteExpiredSessions, sessionDeleteLimit } from '../../data/directory/sessions.ts';
import { sessionLifetimes } from './session-lifetimes.ts';

/** Calls of one run; the rest waits for the next minute. */
const maxCalls = 20;

/**
 * Deletes expired sessions and sign-in failures that no longer count, in steps of a thousand of each. Cron calls it each
 * minute. Never rejects: a failure is logged, and the next run tries again.
 */
export async function purgeExpiredSessions(directory: D1Database, now: number): Promise<void> {
  try {
    const countedSince = now - sessionLifetimes.counter;
    for (let call = 1; call <= maxCalls; call += 1) {
      const deleted = await deleteExpiredSessions(directory, { now, countedSince });
      if (deleted < sessionDeleteLimit) return;
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    log('error', 'session_purge_failed', { alert: true, message });
  }
}
