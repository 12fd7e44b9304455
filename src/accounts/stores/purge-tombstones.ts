import { sql } from 'drizzle-orm';
import { dayMs, isMinuteOfHour } from '../../base/durations.ts';
import { log } from '../../base/log.ts';
import { openDatabase } from '../../data/core/open-database.ts';
import { invitations } from '../../data/schema/directory/account-tables.ts';
import { memberships, stores } from '../../data/schema/directory/directory-tables.ts';

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
