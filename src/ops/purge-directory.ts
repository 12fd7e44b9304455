import { sql } from 'drizzle-orm';
import { isMinuteOfHour, dayMs } from '../base/durations.ts';
import { log } from '../base/log.ts';
import { openDatabase } from '../data/core/open-database.ts';
import { auditDeleteLimit, deleteOldAudit } from '../data/directory/activity.ts';
import { agentDeleteLimit, deleteOldAgents } from '../data/directory/agents.ts';
import { deleteOldRequests, requestDeleteLimit } from '../data/directory/request-log.ts';
import { deleteExpiredSessions, sessionDeleteLimit } from '../data/directory/sessions.ts';
import { invitations } from '../data/schema/directory/account-tables.ts';
import { memberships, stores } from '../data/schema/directory/directory-tables.ts';

// Deletes records of the directory that are needed no longer. Cron calls each of these every
// minute. All but the last work once an hour, each at a minute of its own. The sweep of a shard
// deletes what its stores no longer need.

/** Calls of one run; the rest waits for the next one. */
const maxCalls = 20;

/**
 * Deletes rows in steps, until a step deletes fewer than `limit`. Never rejects: `report` logs a
 * failure, and the next run tries again.
 */
async function purge(
  step: () => Promise<number>,
  limit: number,
  report: (message: string) => void,
): Promise<void> {
  try {
    for (let call = 1; call <= maxCalls; call += 1) if ((await step()) < limit) return;
  } catch (error) {
    report(error instanceof Error ? error.message : '');
  }
}

/** Deletes lines of the directory's audit after a year. */
export async function purgeAudit(binding: D1Database, now: number): Promise<void> {
  if (!isMinuteOfHour(now, 41)) return;
  const step = () => deleteOldAudit(openDatabase(binding), now);
  await purge(step, auditDeleteLimit, (message) =>
    log('error', 'audit_purge_failed', { alert: true, message }),
  );
}

/** Deletes the rows of the log of requests after their seven days. */
export async function purgeRequests(binding: D1Database, now: number): Promise<void> {
  if (!isMinuteOfHour(now, 29)) return;
  const step = () => deleteOldRequests(openDatabase(binding), now);
  await purge(step, requestDeleteLimit, (message) =>
    log('error', 'request_log_purge_failed', { alert: true, message }),
  );
}

/** Deletes agents without a user. */
export async function purgeAgents(binding: D1Database, now: number): Promise<void> {
  if (!isMinuteOfHour(now, 37)) return;
  const step = () => deleteOldAgents(openDatabase(binding), now);
  await purge(step, agentDeleteLimit, (message) =>
    log('error', 'agent_purge_failed', { alert: true, message }),
  );
}

/**
 * How long the tombstone of a test store is kept: longer than a backup of its shard, which could
 * bring its data back.
 */
export const tombstoneMs = 35 * dayMs;

/** The most tombstones that one call deletes. */
const tombstoneDeleteLimit = 1_000;

/** Deletes the tombstones of test stores after {@link tombstoneMs}. Those of other stores stay. */
export async function purgeTombstones(binding: D1Database, now: number): Promise<void> {
  if (!isMinuteOfHour(now, 53)) return;
  const step = async () => {
    const { meta } = await openDatabase(binding).run(
      sql`delete from ${stores} where id in (select tombstone.id from ${stores} tombstone
        where tombstone.test = 1 and tombstone.erased_at is not null and tombstone.erased_at < ${now - tombstoneMs}
          and not exists (select 1 from ${memberships} where store_id = tombstone.id)
          and not exists (select 1 from ${invitations} where store_id = tombstone.id)
        order by tombstone.erased_at limit ${tombstoneDeleteLimit})`,
    );
    return meta.changes;
  };
  await purge(step, tombstoneDeleteLimit, (message) =>
    log('error', 'tombstone_purge_failed', { alert: true, message }),
  );
}

/**
 * Deletes expired sessions and sign-in failures that no longer count, in steps of a thousand of
 * each.
 */
export async function purgeExpiredSessions(directory: D1Database, now: number): Promise<void> {
  const step = () => deleteExpiredSessions(directory, now);
  await purge(step, sessionDeleteLimit, (message) =>
    log('error', 'session_purge_failed', { alert: true, message }),
  );
}
