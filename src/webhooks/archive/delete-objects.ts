import { sql } from 'drizzle-orm';
import { dayMs } from '../../base/durations.ts';
import { prepareSql } from '../../data/core/raw.ts';
import { isHereSql } from '../../data/schema/store/placement-tables.ts';
import type { SweepContext } from '../../data/sweep-task.ts';

/** Objects that one run checks. */
export const objectsPerRun = 500;

/**
 * The pause until an object is checked again whose events are kept longer, because of open
 * deliveries.
 */
const retryMs = dayMs;

/**
 * The age at which the content of such an object is stored anew, because the bucket deletes objects
 * by their age.
 */
const refreshMs = 7 * dayMs;

/** The first event is the beginning of the key, up to the dot. */
const selectExpired = (now: number) => sql`
  select store_id as store, key, exists (select 1 from webhook_events
      where id >= substr(key, 1, instr(key, '.') - 1) and id <= last_id) as isNeeded
  from webhook_archives where expires_at <= ${now} and ${isHereSql('webhook_archives.store_id')}
  order by expires_at limit ${objectsPerRun}`;

const isAmong = (objects: readonly { store: number; key: string }[]) =>
  sql`(store_id, key) in (
    select value ->> 'store', value ->> 'key' from json_each(${JSON.stringify(objects)}))`;

/**
 * Deletes the objects of the archive whose events have all been purged. First in the bucket, then
 * in the database, so that none is forgotten. Returns the number of objects that it checked.
 */
export async function deleteObjects({ env, db, now, hasTime }: SweepContext): Promise<number> {
  const { results } = await prepareSql(db, selectExpired(now())).all<{
    store: number;
    key: string;
    isNeeded: 0 | 1;
  }>();
  if (results.length === 0) return 0;
  const { expired = [], needed = [] } = Object.groupBy(results, ({ isNeeded }) =>
    isNeeded === 1 ? 'needed' : 'expired',
  );
  if (expired.length > 0) await env.ARCHIVE.delete(expired.map(({ key }) => key));
  const kept: typeof needed = [];
  for (const object of needed) {
    if (!hasTime()) break;
    await refreshObject(env.ARCHIVE, object.key, now());
    kept.push(object);
  }
  await db.batch([
    prepareSql(db, sql`delete from webhook_archives where ${isAmong(expired)}`),
    prepareSql(
      db,
      sql`update webhook_archives set expires_at = ${now() + retryMs} where ${isAmong(kept)}`,
    ),
  ]);
  return results.length;
}

async function refreshObject(archive: R2Bucket, key: string, now: number): Promise<void> {
  const known = await archive.head(key);
  if (!known || known.uploaded.getTime() >= now - refreshMs) return;
  const object = await archive.get(key);
  if (object) await archive.put(key, await object.arrayBuffer());
}
