import { isHereSql } from '../../db/schema/store/residents.ts';
import { log } from '../../log.ts';
import { settingsOf } from '../../settings.ts';
import type { SweepContext } from '../../sweep-task.ts';
import { archiveNext, type ArchiveTurn } from './archive-store.ts';

/** Turns of one run at most. Each costs two calls of the database, or three and one of the bucket if it stores an object. */
export const maxTurnsPerRun = 100;

/** Stores that one query for due ones returns. */
const storesPerQuery = 20;

/** Stores whose failure a run endures; then the bucket is probably down. */
const maxFailures = 3;

const dueSql = `
  select store_id as store, archived_to as archivedTo, day from event_budgets b
  where archive_at <= ?1 and ${isHereSql('b.store_id')} order by archive_at limit ${storesPerQuery}`;

/**
 * Moves bodies of events that are older than `BODY_DAYS` to the archive, in turns by store. Whatever dies in between, each
 * body is in the database or in a stored object. Returns the number of turns.
 */
export async function archiveBodies({
  env,
  shard,
  db,
  now,
  hasTime,
}: SweepContext): Promise<number> {
  const { bodyMs, deliveredEventMs } = settingsOf(env).retention;
  const work = { archive: env.ARCHIVE, db, bodyMs, eventMs: deliveredEventMs };
  let turns = 0;
  let failures = 0;
  const mayGoOn = () => hasTime() && turns < maxTurnsPerRun;
  while (failures === 0 && mayGoOn()) {
    const { results } = await db.prepare(dueSql).bind(now()).all<ArchiveTurn>();
    if (results.length === 0) break;
    for (const turn of results) {
      if (!mayGoOn() || failures === maxFailures) break;
      turns += 1;
      try {
        await archiveNext(work, turn, now());
      } catch (error) {
        failures += 1;
        const message = error instanceof Error ? error.message.slice(0, 300) : '';
        log('error', 'event_archive_failed', { alert: true, shard, store: turn.store, message });
      }
    }
  }
  return turns;
}
