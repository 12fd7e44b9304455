import { sql } from 'drizzle-orm';
import { isMinuteOfHour, dayMs } from '../base/durations.ts';
import { log } from '../base/log.ts';
import { openDatabase } from '../data/core/open-database.ts';
import { deleteOldAudit } from '../data/directory/activity.ts';
import { deleteOldRefusals, refusalDeleteLimit } from '../data/directory/app-refusals.ts';
import { deleteExpiredSessions, sessionDeleteLimit } from '../data/directory/sessions.ts';
import { invitations } from '../data/schema/directory/account-tables.ts';
import { memberships, stores } from '../data/schema/directory/directory-tables.ts';
import { sessionLifetimes } from './sign-in/session-lifetimes.ts';

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

/** Calls of one run; the rest waits for the next one. */
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

/** How long the tombstone of a test store is kept: longer than a backup of its shard, which could bring its data back. */
export const tombstoneMs = 35 * dayMs;

/** The most rows that one run deletes; the rest waits for the next hour. */
const deleteLimit = 1_000;

/**
 * Deletes the tombstones of test stores after {@link tombstoneMs}, once an hour. Those of other stores stay. Cron calls
 * it each minute. Never rejects: a failure is logged, and the next hour tries again. One round trip.
 */
export async function purgeTombstones(binding: D1Database, now: number): Promise<void> {
  if (!isMinuteOfHour(now, 53)) return;
  try {
    await openDatabase(binding).run(
      sql`delete from ${stores} where id in (select t.id from ${stores} t
        where t.test = 1 and t.erased_at is not null and t.erased_at < ${now - tombstoneMs}
          and not exists (select 1 from ${memberships} where store_id = t.id)
          and not exists (select 1 from ${invitations} where store_id = t.id)
        order by t.erased_at limit ${deleteLimit})`,
    );
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    log('error', 'tombstone_purge_failed', { alert: true, message });
  }
}

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
