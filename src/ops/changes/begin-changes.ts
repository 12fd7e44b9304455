import { sql } from 'drizzle-orm';
import { isMinuteOfHour, minuteMs } from '../../base/durations.ts';
import { openDatabase, type Database } from '../../data/core/open-database.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import { jobs } from '../../data/schema/directory/operators-tables.ts';
import { longChanges } from '../../data/schema/store/upkeep-tables.ts';
import {
  declaredChanges,
  finishedChanges,
  isEmptyShard,
  type LongChange,
} from '../../data/shards/long-changes.ts';
import type { SweepContext } from '../../data/sweep-task.ts';

/**
 * A version that does not know a change may write old rows for so long after the new one has the
 * traffic.
 */
const rolloutMs = 10 * minuteMs;

/**
 * Notes changes in their shard, with the time from which they may begin. A second time changes
 * nothing. An open job of the release before does not begin them sooner.
 */
export const noteChanges = (shard: Database, names: readonly string[], now: number) =>
  rawDatabaseStatement(
    shard,
    sql`insert into ${longChanges} (name, started_at)
      select value, iif(${isEmptyShard}, ${now}, ${now + rolloutMs}) from json_each(${JSON.stringify(names)}) where true
      on conflict do nothing`,
  );

/** The shards in which this isolate found nothing left to do. */
const doneShards = new Set<number>();

/**
 * Notes the long changes that a shard does not know, and makes the job of those that it has not
 * finished, if there is none. A task of the sweep. Two calls until an isolate has seen that all are
 * finished, then one an hour. A store or a restore may bring rows back that have not had them.
 */
export async function beginChanges(
  { env, shard, db, now }: SweepContext,
  changes: readonly LongChange[] = declaredChanges,
): Promise<number> {
  const at = now();
  if (doneShards.has(shard) && !isMinuteOfHour(at, shard % 60)) return 0;
  const database = openDatabase(db);
  const found = await database.get<{ finished: string; known: string; is_empty: number }>(
    sql`select ${finishedChanges} as finished, ${isEmptyShard} as is_empty,
      (select json_group_array(name) from ${longChanges}) as known`,
  );
  const finished = new Set(JSON.parse(found.finished) as string[]);
  if (changes.every(({ name }) => finished.has(name))) {
    doneShards.add(shard);
    return 0;
  }
  doneShards.delete(shard);
  const known = new Set(JSON.parse(found.known) as string[]);
  const news = changes.flatMap(({ name }) => (known.has(name) ? [] : [name]));
  if (news.length > 0) await database.batch([noteChanges(database, news, at)]);
  const dueAt = found.is_empty === 1 ? at : at + rolloutMs;
  await openDatabase(env.DIRECTORY).run(
    sql`insert into ${jobs} (kind, shard, requested_by, created_at, due_at)
      select 'shard_change', ${shard}, 0, ${at}, ${dueAt}
      where not exists (
        select 1 from ${jobs} where shard = ${shard} and due_at is not null and kind = 'shard_change'
      )`,
  );
  return 0;
}
