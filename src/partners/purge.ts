import { openDatabase } from '../db/core/open.ts';
import { deleteOldRefusals, refusalDeleteLimit } from '../db/directory/app-refusals.ts';
import { log } from '../log.ts';

const minuteMs = 60_000;

/** Calls of one run; the rest waits for the next hour. */
const maxCalls = 20;

/**
 * Deletes refused requests of apps after their seven days, once an hour. Cron calls it each minute. Never rejects: a failure
 * is logged, and the next hour tries again.
 */
export async function purgeRefusals(binding: D1Database, now: number): Promise<void> {
  if (Math.floor(now / minuteMs) % 60 !== 29) return;
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
