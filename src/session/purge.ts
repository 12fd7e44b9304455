import { purgeSessions } from '../db/purge-sessions.ts';
import { log } from '../log.ts';
import { lifetimes } from './lifetimes.ts';

/**
 * What cron does each minute: takes away sessions that are over and failures that no longer count, at most a
 * thousand of each. Never rejects: a failure is logged, and the next minute tries again.
 */
export async function purge(directory: D1Database, now: number): Promise<void> {
  try {
    await purgeSessions(directory, { now, countedSince: now - lifetimes.failure });
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    log('error', 'session_purge_failed', { alert: true, message });
  }
}
