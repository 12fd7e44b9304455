import { isMinuteOfHour } from '../../base/durations.ts';
import { log } from '../../base/log.ts';
import { openDatabase } from '../../data/core/open-database.ts';
import { agentDeleteLimit, deleteOldAgents } from '../../data/directory/agents.ts';

/** Calls of one run; the rest waits for the next hour. */
const maxCalls = 20;

/**
 * Deletes agents that nobody uses, once an hour. Cron calls it each minute. Never rejects: a failure is logged, and the next
 * hour tries again.
 */
export async function purgeAgents(binding: D1Database, now: number): Promise<void> {
  if (!isMinuteOfHour(now, 37)) return;
  try {
    for (let call = 1; call <= maxCalls; call += 1) {
      const deleted = await deleteOldAgents(openDatabase(binding), now);
      if (deleted < agentDeleteLimit) return;
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    log('error', 'agent_purge_failed', { alert: true, message });
  }
}
