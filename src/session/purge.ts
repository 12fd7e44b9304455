import { deleteExpiredSessions } from '../db/directory/sessions.ts';
import { log } from '../log.ts';
import { sessionLifetimes } from './lifetimes.ts';

/**
 * Deletes expired sessions and sign-in failures that no longer count, at most a thousand of each. Cron calls it each
 * minute. Never rejects: a failure is logged, and the next run tries again.
 */
export async function purgeExpiredSessions(directory: D1Database, now: number): Promise<void> {
  try {
    await deleteExpiredSessions(directory, { now, countedSince: now - sessionLifetimes.failure });
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    log('error', 'session_purge_failed', { alert: true, message });
  }
}
