import { isMinuteOfHour } from '../../base/durations.ts';
import { log } from '../../base/log.ts';
import { openDatabase } from '../../data/core/open-database.ts';
import { deleteOldRefusals, refusalDeleteLimit } from '../../data/directory/app-refusals.ts';

/** Calls of one run; the rest waits for the next hour. */
const maxCalls = 20;

/**
 * Deletes refused requests of apps after their seven days, once an hour. Cron calls it each minute. Never rejects: a failure
 * is logged, and the next hour tries again.
 */
export async function purgeRefusals(binding: D1Database, now: number): Promise<void> {
  if (!isMinuteOfHour(now, 29)) return;
  try {
    for (let call = 1; call <= maxCalls; call += 1) {
      const deleted = await deleteOldRefusals(openDatabase(binding), now);
      if (deleted < refusalDeleteLimit) return;
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    log('error', 'refusal_purge_failed', { alert: true, message });
  }
}
