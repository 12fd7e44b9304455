import { isMinuteOfHour } from '../base/durations.ts';
import { log } from '../base/log.ts';
import { openDatabase } from '../data/core/open-database.ts';
import { deleteOldAudit } from '../data/directory/activity.ts';

/**
 * Deletes lines of the directory's audit after a year, once an hour. The sweep of a shard deletes the lines of its
 * stores. Cron calls it each minute. Never rejects: a failure is logged, and the next hour tries again.
 */
export async function purgeAudit(binding: D1Database, now: number): Promise<void> {
  if (!isMinuteOfHour(now, 41)) return;
  try {
    await deleteOldAudit(openDatabase(binding), now);
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    log('error', 'audit_purge_failed', { alert: true, message });
  }
}
