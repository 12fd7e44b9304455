import { openDatabase } from '../db/core/open.ts';
import { deleteOldAudit } from '../db/directory/activity.ts';
import { log } from '../log.ts';

const minuteMs = 60_000;

/**
 * Deletes lines of the directory's audit after a year, once an hour; the sweep of a shard does so with those of its stores. Cron
 * calls it each minute. Never rejects: a failure is logged, and the next hour tries again.
 */
export async function purgeAudit(binding: D1Database, now: number): Promise<void> {
  if (Math.floor(now / minuteMs) % 60 !== 41) return;
  try {
    await deleteOldAudit(openDatabase(binding), now);
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    log('error', 'audit_purge_failed', { alert: true, message });
  }
}
