import { log } from '../../base/log.ts';
import { settingsOf } from '../../base/settings.ts';
import { isHereSql } from '../../data/schema/store/placement-tables.ts';
import type { SweepContext } from '../../data/sweep-task.ts';
import { archiveNext, type ArchiveStep } from './archive-store.ts';

/**
 * Steps of one run at most. Each costs two calls of the database, or three and one of the bucket if it stores an
 * object.
 */
export const maxStepsPerRun = 100;

/** Stores that one query for due ones returns. */
const storesPerQuery = 20;

/** Stores that may fail in a run; beyond that the bucket is probably down. */
const maxFailures = 3;

const dueSql = `
  select store_id as store, archived_to as archivedTo, day, bytes from event_budgets b
  where archive_at <= ?1 and ${isHereSql('b.store_id')} order by archive_at limit ${storesPerQuery}`;

/**
 * Moves bodies of events that are older than `BODY_DAYS` to the archive, in steps round-robin by store; those of a store beyond its
 * event budget after minutes. If a run dies
 * in between, each body is in the database or in a stored object. Returns the number of steps.
 */
export async function archiveBodies({
  env,
  shard,
  db,
  now,
  hasTime,
}: SweepContext): Promise<number> {
  const { eventBudget, retention } = settingsOf(env);
  const { bodyMs, deliveredEventMs: eventMs } = retention;
  const work = { archive: env.ARCHIVE, db, bodyMs, eventMs, eventBudget };
  let steps = 0;
  let failures = 0;
  const mayGoOn = () => hasTime() && steps < maxStepsPerRun;
  while (failures === 0 && mayGoOn()) {
    const { results } = await db.prepare(dueSql).bind(now()).all<ArchiveStep>();
    if (results.length === 0) break;
    for (const step of results) {
      if (!mayGoOn() || failures === maxFailures) break;
      steps += 1;
      try {
        await archiveNext(work, step, now());
      } catch (error) {
        failures += 1;
        const message = error instanceof Error ? error.message.slice(0, 300) : '';
        log('error', 'event_archive_failed', { alert: true, shard, store: step.store, message });
      }
    }
  }
  return steps;
}
